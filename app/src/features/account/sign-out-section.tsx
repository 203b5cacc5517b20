import { useState } from 'react'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { useSignOut } from '#session/use-sign-out.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import css from './account.module.css'
import { Section } from './account-frame.tsx'
import { SaveOutcome } from './save-outcome.tsx'
import { useSave } from './use-save.ts'

/** Leaving: here, everywhere, and elsewhere once it is certain that no list of sessions offers it: what is shown here must not vanish under a focus. */
export function SignOutSection({ withOthers }: { withOthers: boolean }) {
  const { account: words } = useMessages()
  const [asking, setAsking] = useState<'local' | 'others' | 'global' | null>(null)
  const { signOut, hasUnsavedWork } = useSignOut()
  const others = useSave(async () => {
    await signOut('others')
    setAsking(null)
  })
  const here = useSave(() => signOut('local'))
  const everywhere = useSave(() => signOut('global'))

  return (
    <Section heading={words.signOut.heading} lead={withOthers ? words.signOut.lead : words.signOut.leadShort}>
      <div className={css.choices}>
        <Choice hint={words.signOut.hereHint} label={words.signOut.here} pending={here.state.step === 'saving'} onChoose={() => (hasUnsavedWork() ? setAsking('local') : void here.run())} />
        {withOthers && <Choice hint={words.signOut.othersHint} label={words.signOut.others} onChoose={() => setAsking('others')} />}
        <Choice hint={words.signOut.everywhereHint} label={words.signOut.everywhere} onChoose={() => setAsking('global')} />
      </div>
      {asking === null && <SaveOutcome state={here.state} />}
      {others.state.step === 'saved' && <Banner tone="success">{words.signOut.othersDone}</Banner>}
      <Question
        open={asking === 'local'}
        title={words.signOut.hereTitle}
        body={words.signOut.hereBody}
        confirm={words.signOut.here}
        save={here}
        onClose={() => setAsking(null)}
      />
      <Question
        open={asking === 'others'}
        title={words.signOut.othersTitle}
        body={words.signOut.othersBody}
        confirm={words.signOut.others}
        save={others}
        onClose={() => setAsking(null)}
      />
      <Question
        open={asking === 'global'}
        title={words.signOut.everywhereTitle}
        body={words.signOut.everywhereBody}
        confirm={words.signOut.everywhere}
        save={everywhere}
        onClose={() => setAsking(null)}
      />
    </Section>
  )
}

interface ChoiceProps {
  hint: string
  label: string
  pending?: boolean
  onChoose: () => void
}

function Choice({ hint, label, pending, onChoose }: ChoiceProps) {
  return (
    <div className={css.choice}>
      <p>{hint}</p>
      <Button pending={pending} onClick={onChoose}>
        {label}
      </Button>
    </div>
  )
}

interface QuestionProps {
  open: boolean
  title: string
  body: string
  confirm: string
  save: ReturnType<typeof useSave<[]>>
  onClose: () => void
}

function Question({ open, title, body, confirm, save, onClose }: QuestionProps) {
  const { account: words, errors } = useMessages()
  const failed = save.state.step === 'failed' ? explain(save.state.error, errors) : null
  return (
    <ConfirmDialog
      open={open}
      title={title}
      confirmLabel={confirm}
      error={failed && errors.sentences(words.signOut.failed, failed.title, failed.whatToDo)}
      onConfirm={() => save.run()}
      onClose={() => {
        save.reset()
        onClose()
      }}
    >
      {body}
    </ConfirmDialog>
  )
}
