import { useCallback, useState, type ReactNode } from 'react'
import { useFailureWords } from '#features/files/files-failure.tsx'
import type { KnownBucket } from '#features/files/list/bucket-query.ts'
import { nameOf } from '#features/files/names/object-name.ts'
import { useFileSource } from '#features/files/source.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { useAnnounce } from '#ui/announcer.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { useToast } from '#ui/toaster.tsx'
import type { ChosenFile } from './dropped-files.ts'
import { useUploads } from './own-uploads.ts'
import { planUploads, wishesOf, type ClashAnswer, type UploadPlan } from './upload-plan.ts'
import css from './use-upload-plan.module.css'

export interface UploadPlanning {
  /** Takes what was chosen: asks what has to be asked, once for all, and sends. */
  offer: (files: readonly ChosenFile[], folder: string) => void
  isChecking: boolean
  /** The question, to be drawn beside the list. */
  question: ReactNode
}

/** Leads from chosen files to uploads in one bucket. */
export function useUploadPlan(bucket: KnownBucket, mayReplace: boolean): UploadPlanning {
  const source = useFileSource()
  const { list } = useUploads()
  const { files: words, errors } = useMessages()
  const wordsOf = useFailureWords()
  const toast = useToast()
  const announce = useAnnounce()
  const [isChecking, setChecking] = useState(false)
  const [asked, setAsked] = useState<UploadPlan>()

  const send = useCallback((plan: UploadPlan, answer: ClashAnswer) => {
    const wishes = wishesOf(plan, answer)
    list.add(wishes)
    setAsked(undefined)
    if (wishes.length > 0) announce(words.uploadsBegun(wishes.length))
  }, [list, announce, words])

  const offer = useCallback((files: readonly ChosenFile[], folder: string) => {
    if (files.length === 0) return
    setChecking(true)
    planUploads(source, { bucket, folder, files })
      .then((plan) => (plan.unfit.length > 0 || plan.fitting.some(({ clashes }) => clashes) ? setAsked(plan) : send(plan, 'keep-both')))
      .catch((error: unknown) => {
        const { title, whatToDo } = wordsOf(error)
        toast({ text: errors.sentences(title, whatToDo), tone: 'danger' })
      })
      .finally(() => setChecking(false))
    // `wordsOf` is made anew at each draw and says the same.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [source, bucket, send, toast, errors])

  const question = asked && <PlanDialog plan={asked} mayReplace={mayReplace} onAnswer={(answer) => send(asked, answer)} onClose={() => setAsked(undefined)} />
  return { offer, isChecking, question }
}

interface PlanDialogProps {
  plan: UploadPlan
  mayReplace: boolean
  onAnswer: (answer: ClashAnswer) => void
  onClose: () => void
}

/** What the bucket would refuse, and what to do with names that are taken: one answer for all of them. */
function PlanDialog({ plan, mayReplace, onAnswer, onClose }: PlanDialogProps) {
  const { files: words, ui } = useMessages()
  const clashing = plan.fitting.filter(({ clashes }) => clashes)
  const others = plan.fitting.length - clashing.length
  const isAsking = clashing.length > 0
  return (
    <Dialog
      open
      onClose={onClose}
      title={isAsking ? words.clashTitle(clashing.length, nameOf(clashing[0]?.path ?? '')) : words.unfitTitle(plan.unfit.length)}
      lead={isAsking ? words.clashHint(clashing.length) : undefined}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          {isAsking && others > 0 && <Button onClick={() => onAnswer('skip')}>{words.skip(clashing.length)}</Button>}
          {isAsking && mayReplace && <Button onClick={() => onAnswer('replace')}>{words.replace}</Button>}
          {isAsking && <Button variant="primary" onClick={() => onAnswer('keep-both')}>{words.keepBoth}</Button>}
          {!isAsking && others > 0 && <Button variant="primary" onClick={() => onAnswer('skip')}>{words.uploadOthers(others)}</Button>}
        </>
      }
    >
      <div className={css.lists}>
        {clashing.length > 1 && <Names names={clashing.map(({ path }) => path)} />}
        {plan.unfit.length > 0 && <UnfitFiles plan={plan} isAlone={!isAsking} />}
      </div>
    </Dialog>
  )
}

function UnfitFiles({ plan: { unfit, bucket }, isAlone }: { plan: UploadPlan; isAlone: boolean }) {
  const { files: words } = useMessages()
  const format = useFormat()
  const tooLarge = unfit.filter(({ reason }) => reason === 'too-large').map(({ name }) => name)
  const wrongType = unfit.filter(({ reason }) => reason === 'wrong-type').map(({ name }) => name)
  return (
    <>
      {!isAlone && <Banner tone="warning">{words.unfitTitle(unfit.length)}</Banner>}
      {tooLarge.length > 0 && (
        <div>
          <p className={css.why}>{words.tooLarge(format.bytes(bucket.sizeLimitBytes ?? 0))}</p>
          <Names names={tooLarge} />
        </div>
      )}
      {wrongType.length > 0 && (
        <div>
          <p className={css.why}>{words.wrongType((bucket.allowedTypes ?? []).join(', '))}</p>
          <Names names={wrongType} />
        </div>
      )}
    </>
  )
}

const shownAtMost = 200

function Names({ names }: { names: readonly string[] }) {
  const { files: words } = useMessages()
  return (
    // A long list is scrolled by keys too.
    <ul className={css.names} tabIndex={0} aria-label={words.filesLabel}>
      {names.slice(0, shownAtMost).map((name) => <li key={name} title={name}>{name}</li>)}
      {names.length > shownAtMost && <li>{words.andMore(names.length - shownAtMost)}</li>}
    </ul>
  )
}
