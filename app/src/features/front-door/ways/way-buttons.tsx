import { useState, type ReactNode } from 'react'
import type { AppError } from '#api/app-error.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { useProject } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { hasPasskeys, useDoor, type OtherWay } from '#features/front-door/door-ways.ts'
import { FailureBanner } from '#features/front-door/failure-banner.tsx'
import { providerName } from '#session/provider-names.ts'
import { useAttempt } from '#features/front-door/use-attempt.ts'
import { useDoorSettings } from '#features/front-door/settings-store.ts'
import type { DoorStep } from '#features/front-door/use-step.ts'
import { WayMark } from './way-mark.tsx'
import css from './ways.module.css'
import { isPasskeyUnused, isWrongOrigin, usePasskeyAutofill } from './use-passkey.ts'
import { useWays } from './use-ways.ts'
import { useWallets, type FoundWallet } from './use-wallets.ts'

/** Which way a button is, as this browser remembers it. */
const nameOf = (way: OtherWay): string => (way.kind === 'provider' ? `provider:${way.id}` : way.kind === 'wallet' ? `wallet:${way.chain}` : way.kind)

/** One button a way; those that ask something lead to a question of their own. */
export function WayButtons({ ways, door }: { ways: readonly OtherWay[]; door: DoorStep }) {
  const { ways: words } = useMessages()
  const { lastWay } = useDoorMemory()
  const [last] = useState(() => lastWay.known())
  const [chosen, setChosen] = useState('')
  const take = useWays(door)
  const attempt = useAttempt(take)
  const wallets = useWallets(ways)
  usePasskeyAutofill(ways.some(({ kind }) => kind === 'passkey'))
  const gone = useGonePasskeys(attempt.error)
  const press = (way: OtherWay, wallet?: FoundWallet) => {
    setChosen(wallet?.id ?? nameOf(way))
    attempt.run(way, wallet)
  }
  const offered = ways.flatMap((way): readonly Offered[] => {
    if (way.kind === 'wallet') return wallets.filter(({ chain }) => chain === way.chain).map((wallet) => ({ way, wallet }))
    return way.kind === 'passkey' && gone ? [] : [{ way, wallet: undefined }]
  })
  const providers = offered.filter(({ way }) => way.kind === 'provider').length

  return (
    <div className={css.ways}>
      <WayFailure error={attempt.error} />
      {offered.map(({ way, wallet }) => (
        <WayButton
          key={wallet?.id ?? nameOf(way)}
          isCompact={way.kind === 'provider' && providers > 3}
          isLast={last === nameOf(way)}
          mark={<WayMark way={way} icon={wallet?.icon} />}
          isPending={attempt.pending && chosen === (wallet?.id ?? nameOf(way))}
          onPress={() => press(way, wallet)}
        >
          <WayLabel way={way} wallet={wallet} isCompact={way.kind === 'provider' && providers > 3} />
        </WayButton>
      ))}
      {ways.some(({ kind }) => kind === 'guest') && <p className={css.hint}>{words.guest.hint}</p>}
    </div>
  )
}

interface Offered {
  way: OtherWay
  wallet: FoundWallet | undefined
}

interface WayButtonProps {
  mark: ReactNode
  isCompact: boolean
  isLast: boolean
  isPending: boolean
  onPress: () => void
  children: ReactNode
}

function WayButton({ mark, isCompact, isLast, isPending, onPress, children }: WayButtonProps) {
  const { ways: words } = useMessages()
  return (
    <Button size="door" wide className={isCompact ? css.compact : css.way} pending={isPending} onClick={onPress}>
      {mark}
      <span className={css.label}>{children}</span>
      {isLast && <span className={css.last}>{words.lastUsed}</span>}
    </Button>
  )
}

/** Where there are many, a provider's own name is enough. */
function WayLabel({ way, wallet, isCompact }: { way: OtherWay; wallet: FoundWallet | undefined; isCompact: boolean }) {
  const { ways: words } = useMessages()
  switch (way.kind) {
    case 'passkey':
      return words.passkey
    case 'phone':
      return words.phone.way
    case 'sso':
      return words.sso.way
    case 'guest':
      return words.guest.way
    case 'wallet':
      return words.wallet.with(wallet?.name ?? words.wallet[way.chain])
    case 'provider': {
      const name = way.name ?? providerName(way.id)
      return isCompact ? name : words.with(name)
    }
  }
}

function WayFailure({ error }: { error: AppError | null }) {
  const { ways: words } = useMessages()
  const { name } = useProject()
  if (error && isWrongOrigin(error)) return <Banner tone="warning" title={name}>{words.passkeyElsewhere}</Banner>
  if (error && isPasskeyUnused(error)) return <Banner role="status">{words.passkeyUnused}</Banner>
  if (error?.code === 'wallet_refused') return <Banner role="status" title={words.wallet.refused}>{words.wallet.refusedHint}</Banner>
  return <FailureBanner error={error} />
}

/** A browser that refuses this origin's passkeys is not asked for them again. */
function useGonePasskeys(error: AppError | null): boolean {
  const { data } = useDoorSettings()
  const door = useDoor()
  return (error !== null && (isWrongOrigin(error) || error.code === 'passkey_disabled')) || (data !== undefined && !hasPasskeys(data, door))
}
