const failed = new WeakSet<object>()

/** The bundler tells the page of each file it could not fetch; what it throws is remembered to be told from other failures. */
export function watchForMissingFiles(page: Window): void {
  page.addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload?: unknown }
    if (typeof payload === 'object' && payload !== null) failed.add(payload)
  })
}

/** True for the failure to fetch a file of the app. */
export const isMissingFile = (error: unknown): boolean => typeof error === 'object' && error !== null && failed.has(error)

const reloadedKey = 'portico.reloaded-at'
/** Two versions served by turns, or a cache that keeps the old page, must not reload it again and again. */
const restMs = 60_000

export interface VersionParts {
  page: Pick<Window, 'document' | 'sessionStorage' | 'dispatchEvent'> & { location: Pick<Location, 'reload'> }
  fetch: typeof fetch
  now?: () => number
}

/** What came of the look: the page is being reloaded, could be, or is the newest there is as far as can be told. */
export type Renewal = 'reloading' | 'newer' | 'same'

/**
 * Looks whether the app has been updated since this page was loaded, which takes the older files away; then the page is
 * reloaded, once a minute at most, unless something on it would ask before it is left. Drafts are kept by the tab.
 */
export async function renew({ page, fetch, now = Date.now }: VersionParts): Promise<Renewal> {
  if (!(await isReplaced(page.document, fetch))) return 'same'
  const last = Number(page.sessionStorage.getItem(reloadedKey) ?? 0)
  if (now() - last < restMs || wouldAsk(page)) return 'newer'
  page.sessionStorage.setItem(reloadedKey, String(now()))
  page.location.reload()
  return 'reloading'
}

async function isReplaced(document: Document, ask: typeof fetch): Promise<boolean> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src')
  if (!own) return false
  try {
    const answer = await ask('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    const text = await answer.text()
    return answer.ok && /<script[^>]+type="module"/.test(text) && !text.includes(own)
  } catch {
    return false
  }
}

/** Asks the forms on the page what they would say to its being left. */
const wouldAsk = (page: VersionParts['page']): boolean => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
