import type { FoundWallet } from './use-wallets.ts'
import { readIcon, readName } from './wallet-looks.ts'

interface Account {
  address: string
}

type Method = (...input: readonly object[]) => Promise<unknown>

/** What a wallet of the wallet standard can do, as far as signing in goes. */
interface StandardWallet {
  features: Readonly<Record<string, Readonly<Record<string, Method>> | undefined>>
  accounts?: readonly Account[]
}

/** What the official client signs in with: `signIn`, or a known account and `signMessage`. */
export interface SolanaSigner {
  signIn?: (input: object) => Promise<unknown>
  publicKey?: { toBase58: () => string } | undefined
  signMessage?: (message: Uint8Array) => Promise<unknown>
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** A wallet of the wallet standard, if it is one that can sign in to Solana. */
export function readStandardWallet(value: unknown): FoundWallet | undefined {
  if (!isObject(value) || !isObject(value['features'])) return undefined
  const name = readName(value['name'])
  const icon = readIcon(value['icon'])
  const signs = isObject(value['features']['solana:signIn']) || (isObject(value['features']['solana:signMessage']) && isObject(value['features']['standard:connect']))
  if (name === undefined || !signs) return undefined
  return { id: `solana:${name}`, chain: 'solana', name, provider: value, ...(icon && { icon }) }
}

/**
 * Opens a Solana wallet of any of its three kinds for the official client. It may ask the person for an account.
 *
 * @throws whatever the wallet throws.
 */
export async function openSolana(provider: unknown): Promise<SolanaSigner> {
  const { features } = provider as Partial<StandardWallet>
  return features ? openStandard(provider as StandardWallet) : openLegacy(provider as SolanaSigner & { connect?: () => Promise<unknown> })
}

async function openStandard(wallet: StandardWallet): Promise<SolanaSigner> {
  const signIn = wallet.features['solana:signIn']?.['signIn']
  if (signIn) return { signIn: (input) => signIn(input) }
  const signMessage = wallet.features['solana:signMessage']?.['signMessage']
  const connected = (await wallet.features['standard:connect']?.['connect']?.()) as { accounts?: readonly Account[] } | undefined
  const account = connected?.accounts?.[0] ?? wallet.accounts?.[0]
  if (!account) throw new NoAccount()
  return {
    publicKey: { toBase58: () => account.address },
    signMessage: async (message) => {
      const signed = (await signMessage?.({ account, message })) as readonly { signature: Uint8Array }[] | undefined
      return signed?.[0]?.signature
    },
  }
}

/** The one on the page knows its account only once it is connected. */
async function openLegacy(wallet: SolanaSigner & { connect?: () => Promise<unknown> }): Promise<SolanaSigner> {
  if (!wallet.signIn && !wallet.publicKey) await wallet.connect?.()
  if (!wallet.signIn && !wallet.publicKey) throw new NoAccount()
  return wallet
}

/** The wallet is locked, or keeps its accounts to itself. */
export class NoAccount extends Error {
  override name = 'NoAccount'
}
