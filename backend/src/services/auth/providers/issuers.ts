import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import * as oauth from 'oauth4webapi'

import type { Outbound } from '#services/auth/outbound.ts'

/** What an issuer says of itself. */
export type IssuerMetadata = oauth.AuthorizationServer

/** Knows OpenID issuers: their metadata for an hour, their keys as long as they last. */
export interface Issuers {
  /**
   * @param discoveryUrl left out: `<issuer>/.well-known/openid-configuration`.
   * @throws Error when it does not answer, or is another one than it was asked as.
   */
  find(outbound: Outbound, issuer: string, discoveryUrl?: string): Promise<IssuerMetadata>
  keysOf(outbound: Outbound, jwksUri: string): JWTVerifyGetKey
  /** Asks anew the next time. */
  forget(issuer: string): void
}

const keptForMs = 3_600_000
const mostIssuers = 200

/** Adapts the one road to providers to what the protocol's libraries expect of `fetch`. */
export const asFetch =
  (outbound: Outbound) =>
  (url: string, init: { method?: string | undefined; headers?: unknown; body?: unknown }): Promise<Response> =>
    outbound(String(url), {
      method: init.method,
      headers: init.headers as HeadersInit,
      ...(init.body === undefined || init.body === null ? {} : { body: String(init.body as string | URLSearchParams) }),
    })

async function discover(outbound: Outbound, issuer: string, discoveryUrl: string | undefined): Promise<IssuerMetadata> {
  const address = discoveryUrl ?? `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const answer = await outbound(address, { headers: { accept: 'application/json' } })
  // Some serve it as plain text; what counts is whether it is JSON.
  const response = new Response(await answer.text(), { status: answer.status, headers: { 'content-type': 'application/json' } })
  // The library compares issuers as URLs; the text is compared as it stands, as OpenID asks for.
  const found = await oauth.processDiscoveryResponse(new URL(issuer), response)
  if (found.issuer !== issuer) throw new Error(`issuer mismatch, expected "${issuer}" got "${found.issuer}"`)
  return found
}

/** @param now milliseconds since the epoch. */
export function createIssuers(now: () => number): Issuers {
  const known = new Map<string, { found: Promise<IssuerMetadata>; at: number }>()
  const keys = new Map<string, JWTVerifyGetKey>()
  const bound = (map: Map<string, unknown>): void => {
    const oldest = map.size > mostIssuers ? map.keys().next().value : undefined
    if (oldest !== undefined) map.delete(oldest)
  }
  return {
    async find(outbound, issuer, discoveryUrl) {
      const before = known.get(issuer)
      if (before && now() - before.at < keptForMs) return before.found
      const found = discover(outbound, issuer, discoveryUrl)
      known.set(issuer, { found, at: now() })
      bound(known)
      try {
        return await found
      } catch (error) {
        // What was known stays good while the issuer cannot be asked.
        if (before) known.set(issuer, { ...before, at: now() - keptForMs + 60_000 })
        else known.delete(issuer)
        if (before) return before.found
        throw error
      }
    },
    keysOf(outbound, jwksUri) {
      const before = keys.get(jwksUri)
      if (before) return before
      const made = createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: 10_000, [customFetch]: asFetch(outbound) })
      keys.set(jwksUri, made)
      bound(keys)
      return made
    },
    forget: (issuer) => void known.delete(issuer),
  }
}
