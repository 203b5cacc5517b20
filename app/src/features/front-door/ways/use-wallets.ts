import { useEffect, useState } from 'react'
import type { Wallet } from '#door.ts'
import type { OtherWay } from '#features/front-door/door-ways.ts'

/** A wallet this browser has. Name and image are its own word: shown, never trusted. */
export interface FoundWallet {
  id: string
  chain: Wallet
  name?: string
  icon?: string
  provider: unknown
}

interface Announcement {
  info?: { uuid?: unknown; name?: unknown; icon?: unknown }
  provider?: unknown
}

const text = (value: unknown, longest: number) => (typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined)

function readAnnouncement({ info, provider }: Announcement): FoundWallet | undefined {
  const [id, name, icon] = [text(info?.uuid, 100), text(info?.name, 40), text(info?.icon, 100_000)]
  if (id === undefined || typeof provider !== 'object' || provider === null) return undefined
  return { id: `ethereum:${id}`, chain: 'ethereum', provider, ...(name && { name }), ...(icon?.startsWith('data:image/') && { icon }) }
}

/** The wallets of the chains that are offered: each that announces itself (EIP-6963), else the one that stands on the page. */
export function useWallets(ways: readonly OtherWay[]): readonly FoundWallet[] {
  const page = window as unknown as { ethereum?: unknown; solana?: unknown }
  const chains = ways.flatMap((way) => (way.kind === 'wallet' ? [way.chain] : []))
  const [announced, setAnnounced] = useState<readonly FoundWallet[]>([])
  const asksEthereum = chains.includes('ethereum')
  useEffect(() => {
    if (!asksEthereum) return
    const listen = (event: Event) => {
      const wallet = readAnnouncement((event as CustomEvent<Announcement>).detail ?? {})
      if (wallet) setAnnounced((before) => (before.some(({ id }) => id === wallet.id) ? before : [...before, wallet]))
    }
    addEventListener('eip6963:announceProvider', listen)
    dispatchEvent(new Event('eip6963:requestProvider'))
    return () => removeEventListener('eip6963:announceProvider', listen)
  }, [asksEthereum])
  return chains.flatMap((chain): readonly FoundWallet[] =>
    chain === 'ethereum' && announced.length > 0 ? announced : page[chain] === undefined ? [] : [{ id: chain, chain, provider: page[chain] }],
  )
}
