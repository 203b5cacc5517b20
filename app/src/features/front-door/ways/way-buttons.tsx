import { useState, type ReactNode } from 'react'
import type { AppError } from '#api/app-error.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { useProject } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { DoorDivider } from '#ui/door-layout.tsx'
import { hasPasskeys, useDoor, type OtherWay } from '#features/front-door/door-ways.ts'
import { FailureBanner } from '#features/front-door/failure-banner.tsx'
import { providerName } from '#session/provider-names.ts'
import { useAttempt } from '#features/front-door/use-attempt.ts'
import { useDoorSettings } from '#features/front-door/settings-store.ts'
import type { DoorStep } from '#features/front-door/use-step.ts'
import { arrange, nameOf, type Offered } from './offered-ways.ts'
import { WayMark } from './way-mark.tsx'
import css from './ways.module.css'
import { isPasskeyUnused, isWrongOrigin, usePasskeyAutofill } from './use-passkey.ts'
import { useWays } from './use-ways.ts'
import { useWallets, type FoundWallet } from './use-wallets.ts'

interface WayButtonsProps {
  ways: readonly OtherWay[]
  door: DoorStep
  /** A line parts them from the address above. */
  isDivided: boolean
}

/** One button a way; those that ask something lead to a question of their own. */
export function WayButtons({ ways, door, isDivided }: WayButtonsProps) {
  const { frontDoor } = useMessages()
  const { lastWay } = useDoorMemory()
  const [last] = useState(() => lastWay.known())
  const [chosen, setChosen] = useState('')
  const [isOpen, setOpen] = useState(false)
  const take = useWays(door)
  const attempt = useAttempt(take)
  const wallets = useWallets(ways)
  usePasskeyAutofill(ways.some(({ kind }) => kind === 'passkey'))
  const gone = useGonePasskeys(attempt.error)

  const { shown, folded } = arrange(gone ? ways.filter(({ kind }) => kind !== 'passkey') : ways, wallets, last)
  const guest = ways.find(({ kind }) => kind === 'guest')
  if (shown.length === 0 && !guest) return isDivided ? null : <NoWallet />

  const press = (name: string, way: OtherWay, wallet?: FoundWallet) => {
    setChosen(name)
    attempt.run(way, wallet)
  }
  const button = ({ name, way, wallet, isCompact }: Offered, isFocused = false) => (
    <WayButton key={wallet?.id ?? name} isFocused={isFocused} isCompact={isCompact} isLast={last === name} mark={<WayMark way={way} icon={wallet?.icon} />} isPending={attempt.pending && chosen === name} onPress={() => press(name, way, wallet)}>
      <WayLabel way={way} wallet={wallet} wallets={wallets} isCompact={isCompact} />
    </WayButton>
  )
  return (
    <>
      {isDivided && <DoorDivider>{frontDoor.or}</DoorDivider>}
      <div className={css.ways}>
        <WayFailure error={attempt.error} />
        {shown.map((one) => button(one))}
        {/* Whoever asked for more goes on from where they were. */}
        {isOpen ? folded.map((one, index) => button(one, index === 0)) : folded.length > 0 && <More onPress={() => setOpen(true)} />}
        {guest && <Guest isLast={last === nameOf(guest)} isPending={attempt.pending && chosen === nameOf(guest)} onPress={() => press(nameOf(guest), guest)} />}
      </div>
    </>
  )
}

function More({ onPress }: { onPress: () => void }) {
  const { ways: words } = useMessages()
  return (
    <Button size="door" wide variant="quiet" iconAfter="chevron-down" aria-expanded={false} onClick={onPress}>
      {words.more}
    </Button>
  )
}

/** Apart from the others: it makes no account. */
function Guest({ isLast, isPending, onPress }: { isLast: boolean; isPending: boolean; onPress: () => void }) {
  const { ways: words } = useMessages()
  return (
    <div className={css.guest}>
      <Button size="door" wide variant="quiet" className={css.way} pending={isPending} onClick={onPress}>
        <WayMark way={{ kind: 'guest' }} />
        <span className={css.label}>{words.guest.way}</span>
        {isLast && <span className={css.last}>{words.lastUsed}</span>}
      </Button>
      <p className={css.hint}>{words.guest.hint}</p>
    </div>
  )
}

interface WayButtonProps {
  isFocused: boolean
  mark: ReactNode
  isCompact: boolean
  isLast: boolean
  isPending: boolean
  onPress: () => void
  children: ReactNode
}

function WayButton({ isFocused, mark, isCompact, isLast, isPending, onPress, children }: WayButtonProps) {
  const { ways: words } = useMessages()
  return (
    <Button autoFocus={isFocused} size="door" wide className={isCompact ? css.compact : css.way} pending={isPending} onClick={onPress}>
      {mark}
      <span className={css.label}>{children}</span>
      {isLast && <span className={css.last}>{words.lastUsed}</span>}
    </Button>
  )
}

/** Their own names, in every language. */
const chainNames = { ethereum: 'Ethereum', solana: 'Solana' } as const

interface WayLabelProps {
  way: OtherWay
  wallet: FoundWallet | undefined
  wallets: readonly FoundWallet[]
  isCompact: boolean
}

/** Where there are many, a provider's own name is enough. */
function WayLabel({ way, wallet, wallets, isCompact }: WayLabelProps) {
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
    case 'wallet': {
      if (wallet?.name === undefined) return words.wallet.with(words.wallet[way.chain])
      // One wallet may stand for both chains.
      const isTwofold = wallets.some(({ name, chain }) => name === wallet.name && chain !== wallet.chain)
      return words.wallet.with(isTwofold ? `${wallet.name} (${chainNames[way.chain]})` : wallet.name)
    }
    case 'provider': {
      const name = way.name ?? providerName(way.id)
      return isCompact ? name.charAt(0).toUpperCase() + name.slice(1) : words.with(name)
    }
  }
}

function WayFailure({ error }: { error: AppError | null }) {
  const { ways: words } = useMessages()
  const { name } = useProject()
  if (error && isWrongOrigin(error)) return <Banner tone="warning" title={name}>{words.passkeyElsewhere}</Banner>
  if (error && isPasskeyUnused(error)) return <Banner role="status">{words.passkeyUnused}</Banner>
  switch (error?.code) {
    case 'wallet_refused':
      return <Banner role="status" title={words.wallet.refused}>{words.wallet.refusedHint}</Banner>
    case 'wallet_locked':
      return <Banner role="status" title={words.wallet.locked}>{words.wallet.lockedHint}</Banner>
    case 'wallet_waiting':
      return <Banner role="status" title={words.wallet.waiting}>{words.wallet.waitingHint}</Banner>
    case 'wallet_unproven':
      return <Banner tone="danger" title={words.wallet.unproven}>{words.wallet.unprovenHint}</Banner>
    default:
      return <FailureBanner error={error} />
  }
}

/** Wallets are the only way in, and this browser has none. */
function NoWallet() {
  const { ways: words } = useMessages()
  return (
    <Banner tone="warning" title={words.wallet.none}>
      {words.wallet.noneHint}
    </Banner>
  )
}

/** A browser that refuses this origin's passkeys is not asked for them again. */
function useGonePasskeys(error: AppError | null): boolean {
  const { data } = useDoorSettings()
  const door = useDoor()
  return (error !== null && (isWrongOrigin(error) || error.code === 'passkey_disabled')) || (data !== undefined && !hasPasskeys(data, door))
}
