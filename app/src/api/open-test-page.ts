import type { CookieDocument } from './cookie-jar.ts'

export interface TestPage extends CookieDocument {
  /** What a browser would send, by name; for reading and damaging it. */
  cookies: Map<string, string>
  /** Cookies of these names are dropped silently, as a browser does at its limits. */
  drop: (name: string) => boolean
}

/** A page's `document.cookie`, kept as a browser keeps it: one name at a time, removed by an age of nothing. */
export function openTestPage(cookies = new Map<string, string>()): TestPage {
  const page: TestPage = {
    cookies,
    drop: () => false,
    get cookie() {
      return [...page.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(line: string) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) page.cookies.delete(name)
      else if (pair.length <= 4096 && !page.drop(name)) page.cookies.set(name, pair.slice(pair.indexOf('=') + 1))
    },
  }
  return page
}

/** The browser's storage, in memory. */
export function openTestStorage(): Storage {
  const entries = new Map<string, string>()
  return {
    get length() {
      return entries.size
    },
    clear: () => entries.clear(),
    getItem: (key) => entries.get(key) ?? null,
    key: (index) => [...entries.keys()][index] ?? null,
    removeItem: (key) => void entries.delete(key),
    setItem: (key, value) => void entries.set(key, value),
  }
}

const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** A token as a server would sign it, its signature made of `seal`. */
export const testToken = (claims: Record<string, unknown>, seal = 'x') => `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}.${seal.repeat(86)}`
