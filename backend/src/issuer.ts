import { isLoopbackHost } from '#gateway/host.ts'

// The older JWT keys, made here or by the CLI, carry these.
const keyIssuers = new Set(['supabase', 'supabase-demo'])

const onLoopback = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && isLoopbackHost(url.hostname) ? url : undefined
}

/**
 * Makes the check of a token's `iss`. A box on loopback may come back on another port or be called by another of loopback's
 * names; its people stay signed in, since only this data folder's keys can have signed what they hold.
 */
export function createIssuerCheck(issuer: string): (candidate: string) => boolean {
  const own = onLoopback(issuer)
  return (candidate) => {
    if (candidate === issuer || keyIssuers.has(candidate)) return true
    return own !== undefined && onLoopback(candidate)?.pathname === own.pathname
  }
}
