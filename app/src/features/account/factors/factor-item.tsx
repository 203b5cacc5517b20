import { useState } from 'react'
import { explain } from '#api/explain.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useClient, useProject } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Icon } from '#ui/icon.tsx'
import { useSave } from '#features/account/use-save.ts'
import type { OwnFactor } from './factor-list.ts'
import css from './factors.module.css'
import { useRefreshPerson } from './use-factors.ts'

const icons = { totp: 'shield', phone: 'phone', webauthn: 'key', other: 'lock' } as const

interface FactorItemProps {
  factor: OwnFactor
  /** The only one: without it there is no second step. */
  isLast: boolean
  onRemoved: (name: string) => void
}

/** One second factor, with when it came and was used, and the way to remove it. The auth service knows no renaming. */
export function FactorItem({ factor, isLast, onRemoved }: FactorItemProps) {
  const { factors: words, errors } = useMessages()
  const { door } = useProject()
  const stepUp = useStepUp()
  const [asking, setAsking] = useState(false)
  const kind = words.kinds[factor.kind]
  const name = factor.name || kind
  const remove = useRemoval(factor.id, () => onRemoved(name))
  const failed = remove.state.step === 'failed' ? explain(remove.state.error, errors) : null
  const last = door?.secondFactor.required ? words.removeLastRequired : words.removeLastBody
  return (
    <li className={css.item}>
      <Icon name={icons[factor.kind]} className={css.icon} />
      <div className={css.about}>
        <p className={css.name}>{name}</p>
        <p className={css.quiet}>
          {kind !== name && !name.startsWith(kind) && `${kind} · `}
          {words.added} <DateTime value={factor.createdAt} show="date" />
          {factor.lastUsedAt && (
            <>
              {' · '}
              {words.lastUsed} <DateTime value={factor.lastUsedAt} show="relative" />
            </>
          )}
        </p>
      </div>
      <Button variant="quiet" aria-label={words.removeNamed(name)} onClick={() => void stepUp('factors').then((isProven) => isProven && setAsking(true))}>
        {words.remove}
      </Button>
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
        {isLast ? last : words.removeBody}
      </ConfirmDialog>
    </li>
  )
}

/** Removes a factor, then renews the session: the server lowers one that was raised by it, and the token must say so. */
function useRemoval(factorId: string, onRemoved: () => void) {
  const { auth } = useClient()
  const refresh = useRefreshPerson()
  return useSave(async () => {
    const unenroll = () => unwrap(auth.mfa.unenroll({ factorId }))
    try {
      await unenroll()
    } catch (failure) {
      // Recovery codes may not be all that is left: they go with the last factor.
      if (toAppError(failure).code !== 'mfa_recovery_codes_sole_factor') throw failure
      await unwrap(auth.mfa.recoveryCodes.unenroll())
      await unenroll()
    }
    onRemoved()
    await auth.refreshSession()
    await refresh()
  })
}
