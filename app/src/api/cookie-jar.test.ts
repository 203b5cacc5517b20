import { createBrowserClient } from '@supabase/ssr'
import { describe, expect, it, vi } from 'vitest'
import { createCookieJar, judgeSession, readClaims, type Cookie } from './cookie-jar.ts'
import { openTestPage, openTestStorage, testToken, type TestPage } from './open-test-page.ts'

const name = 'sb-https-project-example-auth-token'
const now = Math.floor(Date.now() / 1000)

/** A socket no test opens: the official client wants one to be there. */
class NoSocket {
  close() {}
}

const jarOf = (page: TestPage) => createCookieJar({ name, secure: true }, { document: page })

interface Writing {
  /** Seconds since the epoch; another one for each refresh. */
  expiresAt?: number
  /** Makes the token as large as a big `user_metadata` does. */
  metadataLength?: number
  seal?: string
}

/** Stores a session through the official client, with its own chunker and encoding. */
async function writeSession(page: TestPage, { expiresAt = now + 3600, metadataLength = 10, seal = 'x' }: Writing = {}) {
  const jar = jarOf(page)
  const accessToken = testToken({ sub: 'u1', exp: expiresAt, session_id: 's1', user_metadata: { note: 'n'.repeat(metadataLength) } }, seal)
  const user = { id: 'u1', aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '' }
  const client = createBrowserClient('https://project.example', 'sb_publishable_x', {
    isSingleton: false,
    cookieOptions: { name },
    cookies: { encode: 'tokens-only', getAll: jar.getAll, setAll: jar.setAll },
    auth: { userStorage: openTestStorage(), autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: async () => Response.json(user) },
    realtime: { transport: NoSocket as never },
  })
  const { error } = await client.auth.setSession({ access_token: accessToken, refresh_token: `refresh-${seal}` })
  expect(error).toBeNull()
  return { jar, client, accessToken }
}

const cookiesOf = (page: TestPage): Cookie[] => [...page.cookies].map(([cookieName, value]) => ({ name: cookieName, value: decodeURIComponent(value) }))
const judge = (page: TestPage) => judgeSession(name, cookiesOf(page))

describe('the session’s cookies', () => {
  it('are sound as the official client writes them', async () => {
    const page = openTestPage()
    const { accessToken, jar } = await writeSession(page)
    expect(await jar.inspect()).toEqual({ kind: 'sound', chunks: 1, accessToken, expiresAt: (now + 3600) * 1000, mixed: false })
  })

  it('hold a session of 30 kB in chunks a browser takes, and give it back whole', async () => {
    const page = openTestPage()
    const { client, accessToken } = await writeSession(page, { metadataLength: 30_000 })
    expect(await judge(page)).toMatchObject({ kind: 'sound', accessToken })
    expect(page.cookies.size).toBeGreaterThan(10)
    const { data } = await client.auth.getSession()
    expect(data.session?.access_token).toBe(accessToken)
  })

  it.each([
    ['the first chunk is gone', (page: TestPage) => page.cookies.delete(`${name}.0`)],
    ['a chunk in the middle is gone', (page: TestPage) => page.cookies.delete(`${name}.1`)],
    ['the last chunk is gone', (page: TestPage) => page.cookies.delete(`${name}.${page.cookies.size - 1}`)],
    ['a chunk is cut off', (page: TestPage) => page.cookies.set(`${name}.1`, 'short')],
    ['a chunk holds letters no encoding has', (page: TestPage) => page.cookies.set(`${name}.0`, 'base64-%C3%A4%C3%A4')],
    ['a shorter rest of another session hides the chunks', (page: TestPage) => page.cookies.set(name, 'base64-e30')],
  ])('are damaged when %s', async (_what, damage) => {
    const page = openTestPage()
    await writeSession(page, { metadataLength: 8_000 })
    damage(page)
    expect((await judge(page)).kind).toBe('damaged')
  })

  it('are known to be mixed when chunks of two equally long sessions join to valid JSON', async () => {
    const older = openTestPage()
    const newer = openTestPage()
    await writeSession(older, { metadataLength: 8_000, expiresAt: now + 3600, seal: 'a' })
    await writeSession(newer, { metadataLength: 8_000, expiresAt: now + 7200, seal: 'b' })
    expect(older.cookies.size).toBe(newer.cookies.size)
    for (let count = 1; count < older.cookies.size; count += 1) {
      const mixed = openTestPage(new Map(newer.cookies))
      for (let index = 0; index < count; index += 1) mixed.cookies.set(`${name}.${index}`, older.cookies.get(`${name}.${index}`) ?? '')
      const judged = await judge(mixed)
      expect(judged.kind === 'damaged' || (judged.kind === 'sound' && judged.mixed)).toBe(true)
    }
  })

  it('are none when only another project’s lie there', async () => {
    const page = openTestPage(new Map([['sb-https-other-example-auth-token', 'base64-e30']]))
    expect((await judge(page)).kind).toBe('none')
  })

  it('are read again while another tab is between two chunks', async () => {
    const page = openTestPage()
    const { jar } = await writeSession(page, { metadataLength: 8_000 })
    const missing = page.cookies.get(`${name}.1`) ?? ''
    page.cookies.delete(`${name}.1`)
    setTimeout(() => page.cookies.set(`${name}.1`, missing), 100)
    expect((await jar.inspect()).kind).toBe('sound')
  })

  it('are cleared with every proof of a sign-in under way, and nothing else', async () => {
    const page = openTestPage()
    const { jar } = await writeSession(page, { metadataLength: 8_000 })
    page.cookies.set(`${name}-code-verifier`, 'x')
    page.cookies.set(`${name}-flow-0123456789abcdef-code-verifier`, 'x')
    page.cookies.set('theme', 'dark')
    await jar.clear()
    expect([...page.cookies.keys()]).toEqual(['theme'])
  })
})

describe('a host beside this one', () => {
  /** A browser at `app.example.com` that keeps cookies by name and domain; those of the domain above come first. */
  function openSharedPage() {
    const kept = new Map<string, string>()
    const page = {
      get cookie() {
        return [...kept].toSorted(([left], [right]) => Number(left.endsWith(' ')) - Number(right.endsWith(' '))).map(([key, value]) => `${key.split(' ')[0]}=${value}`).join('; ')
      },
      set cookie(line: string) {
        const [pair = ''] = line.split('; ')
        const domain = /; Domain=([^;]+)/.exec(line)?.[1] ?? ''
        const key = `${pair.slice(0, pair.indexOf('='))} ${domain}`
        if (/; Max-Age=0/.test(line)) kept.delete(key)
        else if (domain === '' || domain === 'example.com' || domain === 'app.example.com') kept.set(key, pair.slice(pair.indexOf('=') + 1))
      },
    }
    return { page, kept, jar: createCookieJar({ name, secure: true }, { document: page, hostname: 'app.example.com' }) }
  }
  const toss = { name, value: 'base64-e30' }

  it('that puts its own session over ours is found out, and ours counts', async () => {
    const { page, jar } = openSharedPage()
    page.cookie = `${toss.name}=${toss.value}; Domain=example.com`
    let lost: string[] = []
    jar.onLostWrite((names) => (lost = names))
    await jar.setAll([{ name, value: 'ours', options: { path: '/', maxAge: 60 } }])
    expect(lost).toEqual([])
    expect((await jar.getAll()).filter((cookie) => cookie.name === name)).toEqual([{ name, value: 'ours' }])
  })

  it('cannot leave anything behind that outlives a sign-out, or locks anybody out', async () => {
    const { page, kept, jar } = openSharedPage()
    for (const one of [name, `${name}.0`, `${name}-code-verifier`]) page.cookie = `${one}=nonsense; Domain=example.com`
    page.cookie = 'theme=dark; Domain=example.com'
    expect((await jar.inspect()).kind).toBe('damaged')
    await jar.clear()
    expect((await jar.inspect()).kind).toBe('none')
    expect([...kept.keys()]).toEqual(['theme example.com'])
    page.cookie = `${name}=${toss.value}; Domain=example.com`
    await jar.setAll([{ name, value: '', options: { path: '/', maxAge: 0 } }])
    expect(jar.holdSomething()).toBe(false)
  })
})

describe('a browser that keeps no cookies', () => {
  it('is found out by writing one and reading it back', () => {
    const page = openTestPage()
    expect(jarOf(page).works()).toBe(true)
    expect(page.cookies.size).toBe(0)
    page.drop = () => true
    expect(jarOf(page).works()).toBe(false)
  })

  it('is told of when it drops a chunk of a session', async () => {
    const page = openTestPage()
    const jar = jarOf(page)
    const lost = vi.fn()
    jar.onLostWrite(lost)
    page.drop = (cookieName) => cookieName.endsWith('.1')
    await jar.setAll([0, 1].map((index) => ({ name: `${name}.${index}`, value: 'v', options: { path: '/', maxAge: 60 } })))
    expect(lost).toHaveBeenCalledWith([`${name}.1`])
  })
})

describe('claims', () => {
  it('are read with letters of any script', () => {
    const payload = Buffer.from(JSON.stringify({ sub: 'u1', user_metadata: { name: 'Ağrı 東京' } })).toString('base64url')
    expect(readClaims(`h.${payload}.s`)).toMatchObject({ user_metadata: { name: 'Ağrı 東京' } })
  })

  it('of something that is no token are none', () => {
    expect(readClaims('')).toBeNull()
    expect(readClaims('a.b.c')).toBeNull()
    expect(readClaims('a.bnVsbA.c')).toBeNull()
  })
})
