import { isIP } from 'node:net'

import { compileGlob } from './glob.ts'
import type { AuthSettings } from './settings.ts'

/** Decides where a person may be sent back to. */
export interface Redirects {
  /** Whether a link of ours may lead to this address. */
  isAllowed(address: string): boolean
  /** The first allowed of: the `redirect_to` of the request, its referrer, the project's site. */
  choose(request: Request, asked?: string): string
  /** The app page that asks before a mailed link is used up, when `redirectTo` lies in the box's own app. */
  callbackPage(redirectTo: string, link: { tokenHash: string; type: string }): string | undefined
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

const isLoopbackHost = (host: string): boolean => loopbackNames.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host)

const isWebScheme = (address: string): boolean => /^https?:/i.test(address)

// What parsers disagree about is refused before any parser sees it: a browser reads `http:/\evil.com` and
// `https://good.com\@evil.com` differently from a strict reader.
const hasTreacherousSpelling = (address: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  /[\\\u0000-\u0020\u007f]/.test(address) || (isWebScheme(address) && !/^https?:\/\/[^/]/i.test(address))

const tryParse = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined)

function parse(address: string): URL | undefined {
  if (address === '' || hasTreacherousSpelling(address)) return undefined
  const parsed = tryParse(address)
  return parsed && parsed.username === '' && parsed.password === '' ? parsed : undefined
}

/** The host as written, not as the URL parser folds it: `http://2130706433/` must not pass for `127.0.0.1`. */
const writtenHost = (address: string): string => {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(address)?.[1] ?? ''
  return authority.replace(/:\d*$/, '').toLowerCase()
}

const isUsualHostName = (host: string): boolean => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host)

/**
 * The redirect rules of one project.
 *
 * @see supabase/auth internal/utilities/request.go, `IsRedirectURLValid` and `GetReferrer`
 */
export function createRedirects(settings: AuthSettings): Redirects {
  const site = tryParse(settings.siteUrl)
  const globs = settings.redirectAllowList.map(compileGlob)
  const appOrigins = new Set(settings.appOrigins)

  const isSite = (target: URL): boolean =>
    site !== undefined && site.hostname === target.hostname && site.protocol === target.protocol && (site.port === target.port || isLoopbackHost(target.hostname))

  const isAllowed = (address: string): boolean => {
    const target = parse(address)
    if (!target || /^(javascript|data|vbscript|blob|file):$/.test(target.protocol)) return false
    const host = writtenHost(address)
    const isWeb = isWebScheme(address)
    if (isWeb && host !== target.hostname.toLowerCase()) return false
    if (isWeb && appOrigins.has(target.origin)) return true
    if (isSite(target)) return true
    if (/^\d+$/.test(host)) return false
    if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return isLoopbackHost(host)
    if (isWeb && !isUsualHostName(host)) return false
    const withoutFragment = address.split('#', 1)[0] ?? ''
    return globs.some((glob) => glob.test(withoutFragment))
  }

  return {
    isAllowed,
    choose(request, asked) {
      const named = asked ?? request.headers.get('redirect_to') ?? tryParse(request.url)?.searchParams.get('redirect_to') ?? ''
      if (isAllowed(named)) return named
      const referrer = request.headers.get('referer') ?? ''
      return isAllowed(referrer) ? referrer : settings.siteUrl
    },
    callbackPage(redirectTo, link) {
      const target = parse(redirectTo)
      if (!target || !appOrigins.has(target.origin)) return undefined
      const page = new URL(target.pathname === '/callback' ? target.href : '/callback', target)
      page.hash = ''
      page.searchParams.set('token_hash', link.tokenHash)
      page.searchParams.set('type', link.type)
      if (target.pathname !== '/callback') page.searchParams.set('redirect_to', redirectTo)
      return page.href
    },
  }
}
