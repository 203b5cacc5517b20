import { useEffect, useState } from 'react'
import type { Wallet } from '#door.ts'
import type { OtherWay } from '#features/front-door/door-ways.ts'
import { readStandardWallet } from './solana-wallets.ts'
import { readIcon, readName } from './wallet-looks.ts'

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

/** More than these is no person's browser. */
const mostWallets = 20

function readAnnouncement({ info, provider }: Announcement): FoundWallet | undefined {
  const [name, icon] = [readName(info?.name), readIcon(info?.icon)]
  if (typeof info?.uuid !== 'string' || typeof (provider as { request?: unknown } | undefined)?.request !== 'function') return undefined
  return { id: `ethereum:${info.uuid}`, chain: 'ethereum', provider, ...(name && { name }), ...(icon && { icon }) }
}

type Add = (wallet: FoundWallet | undefined) => void

/** @see https://eips.ethereum.org/EIPS/eip-6963 */
function listenForEthereum(add: Add): () => void {
  const listen = (event: Event) => add(readAnnouncement((event as CustomEvent<Announcement | null>).detail ?? {}))
  addEventListener('eip6963:announceProvider', listen)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => removeEventListener('eip6963:announceProvider', listen)
}

/** Wallets that are there already are told of the page; those that come later tell of themselves. @see https://github.com/wallet-standard/wallet-standard */
function listenForSolana(add: Add): () => void {
  const api = {
    register: (...wallets: unknown[]) => {
      for (const wallet of wallets) add(readStandardWallet(wallet))
      return () => {}
    },
  }
  const listen = (event: Event) => {
    const { detail } = event as CustomEvent<unknown>
    if (typeof detail === 'function') detail(api)
  }
  addEventListener('wallet-standard:register-wallet', listen)
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => removeEventListener('wallet-standard:register-wallet', listen)
}

/** The wallets of the chains that are offered: each that announces itself, else the one that stands on the page. */
export function useWallets(ways: readonly OtherWay[]): readonly FoundWallet[] {
  const page = window as unknown as { ethereum?: unknown; solana?: unknown }
  const chains = ways.flatMap((way) => (way.kind === 'wallet' ? [way.chain] : []))
  const [announced, setAnnounced] = useState<readonly FoundWallet[]>([])
  const asksEthereum = chains.includes('ethereum')
  const asksSolana = chains.includes('solana')
  useEffect(() => {
    const add: Add = (wallet) => {
      if (wallet) setAnnounced((before) => (before.length >= mostWallets || before.some(({ id }) => id === wallet.id) ? before : [...before, wallet]))
    }
    const stops = [asksEthereum && listenForEthereum(add), asksSolana && listenForSolana(add)]
    return () => {
      for (const stop of stops) if (stop) stop()
    }
  }, [asksEthereum, asksSolana])
  return chains.flatMap((chain): readonly FoundWallet[] => {
    const own = announced.filter((wallet) => wallet.chain === chain)
    return own.length > 0 || page[chain] === undefined ? own : [{ id: chain, chain, provider: page[chain] }]
  })
}
