import { isIP } from 'node:net'

import type { WebauthnSettings } from './settings.ts'

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/** Browsers take no address for a host credentials are bound to: this machine is `localhost`. */
function named(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (isLoopback(url.hostname)) url.hostname = 'localhost'
  return url
}

const isWithin = (host: string, rpId: string): boolean => host === rpId || host.endsWith(`.${rpId}`)

/**
 * What `[auth.webauthn]` leaves out, taken from where the project's people are: the host of `site_url`, and of the addresses the
 * app has and `additional_redirect_urls` name, those on that host or below it.
 *
 * @param places whole addresses; globs are no origins and are passed over.
 */
export function relyingParty(given: WebauthnSettings, { siteUrl, places }: { siteUrl: string; places: readonly string[] }): WebauthnSettings {
  const site = named(siteUrl)
  const rpId = given.rpId || site?.hostname || ''
  const found = [siteUrl, ...places.filter((place) => !place.split('?')[0]?.replace(/\/\*+$/, '').includes('*'))].flatMap((place) => {
    const url = named(place.replace(/\*+$/, ''))
    return url && /^https?:$/.test(url.protocol) && isWithin(url.hostname, rpId) ? [url.origin] : []
  })
  return {
    rpId,
    rpDisplayName: given.rpDisplayName || rpId,
    rpOrigins: given.rpOrigins.length > 0 ? given.rpOrigins.map((origin) => origin.replace(/\/$/, '')) : [...new Set(found)],
  }
}
