import { toAppError, unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useClient, useProject } from '#session/session.tsx'
import type { OwnFactor } from './factor-list.ts'
import { Moments, ProofItem } from './proof-item.tsx'
import { useRefreshPerson } from './use-factors.ts'

const icons = { totp: 'shield', phone: 'phone', webauthn: 'key', other: 'lock' } as const

interface FactorItemProps {
  factor: OwnFactor
  /** The only one: without it there is no second step. */
  isLast: boolean
  onRemoved: (name: string) => void
}

/** One second factor, with when it came and was used. The auth service knows no renaming. */
export function FactorItem({ factor, isLast, onRemoved }: FactorItemProps) {
  const { factors: words } = useMessages()
  const { door } = useProject()
  const kind = words.kinds[factor.kind]
  const name = factor.name || kind
  const remove = useRemoval(factor.id)
  const last = door?.secondFactor.required ? words.removeLastRequired : words.removeLastBody
  return (
    <ProofItem
      words={words}
      icon={icons[factor.kind]}
      name={name}
      about={
        <>
          {kind !== name && !name.startsWith(kind) && `${kind} · `}
          <Moments words={words} createdAt={factor.createdAt} lastUsedAt={factor.lastUsedAt} />
        </>
      }
      reason="factors"
      consequence={isLast ? last : words.removeBody}
      onRemove={() => remove(() => onRemoved(name))}
    />
  )
}

/** Removes a factor, then renews the session: the server lowers one that was raised by it, and the token must say so. */
function useRemoval(factorId: string): (onRemoved: () => void) => Promise<void> {
  const { auth } = useClient()
  const refresh = useRefreshPerson()
  const unenroll = () => unwrap(auth.mfa.unenroll({ factorId }))
  return async (onRemoved) => {
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
  }
}
