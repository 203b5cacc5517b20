/** What was typed, made into the address of a project's API, or why it cannot be. */
export type UrlReading =
  | { ok: true; url: string; from: 'address' | 'dashboard' | 'studio' | 'reference' }
  | { ok: false; fault: UrlFault }

export type UrlFault = 'url-missing' | 'url-malformed' | 'url-no-project' | 'url-database' | 'url-password'

const hosted = (reference: string) => `https://${reference}.supabase.co`
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Reads the address of a project. Takes what people have at hand: the API's address with or without `https://` and a
 * service's path, a page of the hosted dashboard or of the local Studio, or the bare project reference.
 */
export function readProjectUrl(text: string): UrlReading {
  const typed = unquote(text)
  if (typed === '') return refuse('url-missing')
  if (/^postgres(ql)?:\/\//i.test(typed)) return refuse('url-database')
  if (/^[a-z]{20}$/.test(typed)) return { ok: true, url: hosted(typed), from: 'reference' }
  const url = parse(typed)
  if (!url) return refuse('url-malformed')
  if (url.username !== '' || url.password !== '') return refuse('url-password')
  return readDashboard(url) ?? { ok: true, url: `${url.origin}${servicePath(url.pathname)}`, from: 'address' }
}

/** True for an address of this machine, which browsers trust without TLS. */
export const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname)

/** The stable id of a project, from its address: `http-127-0-0-1-54321`. */
export const projectId = (url: string): string =>
  url
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** What to call a project that has no name yet: the hosted reference, else the host. */
export function projectName(url: string): string {
  const { host } = new URL(url)
  return /^([a-z0-9]+)\.supabase\.(co|in|red)$/.exec(host)?.[1] ?? host
}

const refuse = (fault: UrlFault): UrlReading => ({ ok: false, fault })

function readDashboard(url: URL): UrlReading | undefined {
  const reference = /\/project\/([a-z0-9]+)/.exec(url.pathname)?.[1]
  if (/^((www|app)\.)?supabase\.(com|io)$/.test(url.hostname)) {
    return reference && reference !== '_' ? { ok: true, url: hosted(reference), from: 'dashboard' } : refuse('url-no-project')
  }
  // The CLI serves Studio two ports above the API.
  if (loopback.test(url.hostname) && reference === 'default' && Number(url.port) > 2) {
    return { ok: true, url: `${url.protocol}//${url.hostname}:${Number(url.port) - 2}`, from: 'studio' }
  }
  return undefined
}

function parse(typed: string): URL | undefined {
  const bare = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `${loopback.test(typed.split(/[:/]/)[0] ?? '') ? 'http' : 'https'}://${typed}`
  try {
    const url = new URL(bare)
    const isHost = url.hostname.includes('.') || url.hostname.includes(':') || loopback.test(url.hostname) || url.port !== ''
    return /^https?:$/.test(url.protocol) && isHost ? url : undefined
  } catch {
    return undefined
  }
}

// `…/auth/v1/settings` was copied from a service's address; the project starts before it.
const servicePath = (path: string): string => path.replace(/\/(auth|rest|storage|realtime|functions|graphql)\/v1(\/.*)?$/, '').replace(/\/+$/, '')

/** Takes off what comes along from an environment file: `NEXT_PUBLIC_SUPABASE_URL="…"`. */
export const unquote = (text: string): string =>
  text
    .trim()
    .replace(/^(export\s+)?[A-Z][A-Z0-9_]*\s*=\s*/, '')
    .replace(/^(['"])(.*)\1[;,]?$/, '$2')
    .trim()
