import { useState, type ReactNode } from 'react'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { useStepUp, type StepUpReason } from '#session/step-up.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'
import { useSave } from '#features/account/use-save.ts'
import css from './factors.module.css'

/** What is said of one kind of them; languages that know a gender say it of a passkey otherwise than of a phone. */
export interface ProofWords {
  added: string
  lastUsed: string
  remove: string
  removeNamed: (name: string) => string
  removeTitle: (name: string) => string
}

interface ProofItemProps {
  words: ProofWords
  icon: IconName
  name: string
  /** When it came and was used, and of what kind it is. */
  about: ReactNode
  /** Said when the person is asked again who they are. */
  reason: StepUpReason
  /** What follows from removing it. */
  consequence: string
  /** @throws AppError: the question stays, and says why. */
  onRemove: () => Promise<void>
  /** What else can be done with it, before "Remove". */
  children?: ReactNode
}

/** One thing that a person proves with who they are, and the way to remove it. */
export function ProofItem({ words, icon, name, about, reason, consequence, onRemove, children }: ProofItemProps) {
  const { errors } = useMessages()
  const stepUp = useStepUp()
  const [asking, setAsking] = useState(false)
  const remove = useSave(onRemove)
  const failed = remove.state.step === 'failed' ? explain(remove.state.error, errors) : null
  return (
    <li className={css.item}>
      <Icon name={icon} className={css.icon} />
      <div className={css.about}>
        <p className={css.name}>{name}</p>
        <p className={css.quiet}>{about}</p>
      </div>
      <div className={css.row}>
        {children}
        <Button variant="quiet" aria-label={words.removeNamed(name)} onClick={() => void stepUp(reason).then((isProven) => isProven && setAsking(true))}>
          {words.remove}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={words.removeTitle(name)}
        confirmLabel={words.remove}
        error={failed && errors.sentences(failed.title, failed.whatToDo)}
        onConfirm={() => remove.run()}
        onClose={() => {
          remove.reset()
          setAsking(false)
        }}
      >
        {consequence}
      </ConfirmDialog>
    </li>
  )
}

interface MomentsProps {
  words: ProofWords
  createdAt: string
  lastUsedAt: string | undefined
  /** Said where it was never used; nothing is, where nobody knows. */
  unused?: string
}

/** "Added 3 May 2026 · Last used 2 hours ago", as far as it is known. */
export function Moments({ words, createdAt, lastUsedAt, unused }: MomentsProps) {
  return (
    <>
      {words.added} <DateTime value={createdAt} show="date" />
      {lastUsedAt && (
        <>
          {' · '}
          {words.lastUsed} <DateTime value={lastUsedAt} show="relative" />
        </>
      )}
      {!lastUsedAt && unused && ` · ${unused}`}
    </>
  )
}
