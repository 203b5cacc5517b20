/** What a mail link or a provider brought back. Each came in an address anyone can write: nothing here is trusted yet. */
export type Arrival =
  | { kind: 'code'; code: string; flowId: string | null }
  | { kind: 'token-hash'; tokenHash: string; type: MailLinkType }
  | { kind: 'tokens'; accessToken: string; refreshToken: string; type: string }
  | { kind: 'message'; message: string }
  | { kind: 'error'; code: string; description: string }
  | { kind: 'nothing' }

const mailLinkTypes = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'] as const
export type MailLinkType = (typeof mailLinkTypes)[number]

const isMailLinkType = (type: string): type is MailLinkType => (mailLinkTypes as readonly string[]).includes(type)

/** The errors stand in the query, the fragment or both; a failed one wins over whatever else is there. */
export function readArrival(href: string): Arrival {
  const url = new URL(href)
  const fragment = new URLSearchParams(url.hash.replace(/^#/, ''))
  const value = (key: string) => url.searchParams.get(key) || fragment.get(key) || ''

  if (value('error') || value('error_code') || value('error_description')) {
    return { kind: 'error', code: value('error_code') || value('error'), description: value('error_description') }
  }
  const type = value('type')
  if (value('token_hash')) return tokenHash(value('token_hash'), type)
  if (fragment.get('access_token') && fragment.get('refresh_token')) {
    return { kind: 'tokens', accessToken: fragment.get('access_token') ?? '', refreshToken: fragment.get('refresh_token') ?? '', type }
  }
  if (value('code')) return { kind: 'code', code: value('code'), flowId: url.searchParams.get('sb_flow_id') }
  if (fragment.get('message')) return { kind: 'message', message: value('message') }
  return { kind: 'nothing' }
}

/** The template's word for a sign-in link is `magiclink` or `email`; a link without one is taken as a sign-in. */
const tokenHash = (hash: string, type: string): Arrival =>
  type === '' || isMailLinkType(type)
    ? { kind: 'token-hash', tokenHash: hash, type: isMailLinkType(type) ? type : 'email' }
    : { kind: 'error', code: 'validation_failed', description: `unknown link type ${type}` }

/**
 * The callback's address for an arrival that was sent to the start page instead: a project whose list of allowed
 * addresses does not name the callback sends people to its site address. Undefined when nothing arrived.
 */
export function misdirectedArrival(href: string): string | undefined {
  const url = new URL(href)
  if (url.pathname !== '/') return undefined
  return readArrival(href).kind === 'nothing' ? undefined : `/callback${url.search}${url.hash}`
}
