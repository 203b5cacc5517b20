/** Where an answer takes the person, as far as they can judge it. */
export type Destination =
  /** A page of the web, by the host its address really has: `shop.example`, `xn--…` where it is written in another script. */
  | { kind: 'web'; host: string }
  /** A program on this computer that listens for the answer: `localhost:4000`. */
  | { kind: 'device'; host: string }
  /** An app on this device, by the scheme it is opened with: `cursor://`. */
  | { kind: 'app'; scheme: string }

/** Schemes that run, show or read something here instead of leading anywhere. */
const unsafeSchemes = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:', 'view-source:', 'ws:', 'wss:', 'ftp:'])

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Reads an address an answer may be sent to; undefined when it must not be opened. */
export function readDestination(address: string): Destination | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, host, hostname, username, password } = new URL(address)
  if (unsafeSchemes.has(protocol) || username !== '' || password !== '') return undefined
  if (protocol !== 'https:' && protocol !== 'http:') return { kind: 'app', scheme: `${protocol}//` }
  if (loopbackHosts.has(hostname)) return { kind: 'device', host }
  return protocol === 'https:' ? { kind: 'web', host } : undefined
}

/** Whether the project's answer leads to the address the person was shown: all but the query is the same. */
export function leadsTo(answer: string, redirectUri: string): boolean {
  const place = (address: string) => address.split(/[?#]/, 1)[0]
  return place(answer) === place(redirectUri) && readDestination(answer) !== undefined
}

/** The start of the application's own pages; undefined where there are none: a program, an app. */
export function siteOf(redirectUri: string): string | undefined {
  return readDestination(redirectUri)?.kind === 'web' ? new URL(redirectUri).origin : undefined
}
