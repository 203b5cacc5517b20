import type { OtherWay } from '#features/front-door/door-ways.ts'
import { providerName } from '#session/provider-names.ts'
import type { FoundWallet } from './use-wallets.ts'

/** One button: a way, and which of the browser's wallets. */
export interface Offered {
  /** As this browser remembers it: `provider:google`, `wallet:ethereum:MetaMask`. */
  name: string
  way: OtherWay
  wallet: FoundWallet | undefined
  /** Two stand in a row, each with the provider's name alone. */
  isCompact: boolean
}

/** What is seen at once, and what only when it is asked for. */
export interface Arranged {
  shown: readonly Offered[]
  folded: readonly Offered[]
}

/** What people look for first; the local stand-in last. */
const popular = ['google', 'apple', 'azure', 'github', 'facebook', 'linkedin_oidc', 'slack_oidc', 'x']
const rankOf = ({ id, name }: { id: string; name?: string }): number => (id === 'local' ? 99 : name !== undefined ? 50 : popular.includes(id) ? popular.indexOf(id) : 40)

/** Longer names do not fit in half a row. */
const longestCompact = 16
/** More rows than this are no choice but a list. */
const mostRows = 7
const mostProviders = 6

export const nameOf = (way: OtherWay, wallet?: FoundWallet): string =>
  way.kind === 'provider' ? `provider:${way.id}` : way.kind === 'wallet' ? ['wallet', way.chain, wallet?.name ?? ''].join(':') : way.kind

const rowsOf = (group: readonly Offered[]): number => group.reduce((sum, { isCompact }) => sum + (isCompact ? 0.5 : 1), 0)

/** The buttons in their order: passkey, providers, phone, organisation, wallets. */
function listOffered(ways: readonly OtherWay[], wallets: readonly FoundWallet[]): Offered[] {
  const providers = ways.filter((way) => way.kind === 'provider').toSorted((one, other) => rankOf(one) - rankOf(other))
  const of = (way: OtherWay, wallet?: FoundWallet): Offered => ({ name: nameOf(way, wallet), way, wallet, isCompact: false })
  return [
    ...ways.filter(({ kind }) => kind === 'passkey').map((way) => of(way)),
    ...providers.map((way) => ({ ...of(way), isCompact: providers.length > 3 && (way.name ?? providerName(way.id)).length <= longestCompact })),
    ...ways.filter(({ kind }) => kind === 'phone' || kind === 'sso').map((way) => of(way)),
    ...ways.flatMap((way) => (way.kind === 'wallet' ? wallets.filter(({ chain }) => chain === way.chain).map((wallet) => of(way, wallet)) : [])),
  ]
}

/** Folds what is asked for least where there is more than one can take in: wallets, which are there unasked, and the rest of many providers. */
export function arrange(ways: readonly OtherWay[], wallets: readonly FoundWallet[], last: string | undefined): Arranged {
  const offered = listOffered(ways, wallets)
  const providers = offered.filter(({ way }) => way.kind === 'provider')
  const groups = [
    offered.filter(({ name }) => name === last),
    offered.filter(({ way }) => way.kind === 'passkey'),
    providers.slice(0, mostProviders),
    ...offered.filter(({ way }) => way.kind === 'phone' || way.kind === 'sso').map((one) => [one]),
    offered.filter(({ way }) => way.kind === 'wallet'),
    providers.slice(mostProviders),
  ]
  const shown = new Set<Offered>()
  for (const group of groups) {
    const rest = group.filter((one) => !shown.has(one))
    if (shown.size === 0 || rowsOf([...shown, ...rest]) <= mostRows) for (const one of rest) shown.add(one)
  }
  return { shown: offered.filter((one) => shown.has(one)), folded: offered.filter((one) => !shown.has(one)) }
}
