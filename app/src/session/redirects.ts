/** Where a person lands who came from nowhere in particular. */
export const home = '/'

/** Pages that lead back to themselves when returned to. */
const doorPaths = new Set(['/sign-in', '/sign-up', '/forgot-password', '/new-password', '/callback', '/connect', '/goodbye', '/second-factor', '/accounts'])

/**
 * Gives a path of this app that is safe to go to, whatever came in the address: `/data/public/tickets?sort=due`.
 * Other origins, other schemes, and every spelling browsers read as one of those give `home`.
 */
export function safePath(target: string | null | undefined): string {
  if (!target || target.length > 2000) return home
  // Browsers drop control characters and read a backslash as a slash: `/\evil.com` and `/<tab>/evil.com` leave the origin.
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (!target.startsWith('/') || /[\\\u0000-\u001f\u007f]/.test(target)) return home
  const base = 'http://portico.invalid'
  let url: URL
  try {
    url = new URL(target, base)
  } catch {
    return home
  }
  if (url.origin !== base || url.username !== '' || url.pathname.startsWith('//') || doorPaths.has(url.pathname)) return home
  return `${url.pathname}${url.search}${url.hash}`
}

/** The sign-in page that returns to `place` afterwards. */
export function signInPath(place: string): string {
  const to = safePath(place)
  return to === home ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`
}

/** A page of the door that keeps where the person wanted to go. */
export const withReturn = (path: string, to: string) => (to === home ? path : `${path}?to=${encodeURIComponent(to)}`)

/** The page that asks for the second factor, and leads to `place` afterwards. */
export function secondFactorPath(place: string): string {
  const next = safePath(place)
  return next === home ? '/second-factor' : `/second-factor?next=${encodeURIComponent(next)}`
}
