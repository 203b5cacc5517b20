import { describe, expect, it } from 'vitest'
import { readProjectKey } from './project-key.ts'
import { createProjectStore, projectsKey } from './project-store.ts'
import { projectId, readProjectUrl } from './project-url.ts'

const token = (claims: object) => `eyJhbGciOiJIUzI1NiJ9.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.c2lnbmF0dXJl`

describe('the address of a project', () => {
  it.each([
    ['https://abc.supabase.co', 'https://abc.supabase.co'],
    ['  https://abc.supabase.co/  ', 'https://abc.supabase.co'],
    ['abc.supabase.co', 'https://abc.supabase.co'],
    ['localhost:54321', 'http://localhost:54321'],
    ['127.0.0.1:54321/', 'http://127.0.0.1:54321'],
    ['https://abc.supabase.co/auth/v1/settings?x=1#y', 'https://abc.supabase.co'],
    ['https://example.com/backend/rest/v1/', 'https://example.com/backend'],
    ['https://supabase.com/dashboard/project/abcdefghijklmnopqrst/settings/api', 'https://abcdefghijklmnopqrst.supabase.co'],
    ['https://app.supabase.com/project/abcdefghijklmnopqrst', 'https://abcdefghijklmnopqrst.supabase.co'],
    ['http://127.0.0.1:54323/project/default', 'http://127.0.0.1:54321'],
    ['abcdefghijklmnopqrst', 'https://abcdefghijklmnopqrst.supabase.co'],
    ['NEXT_PUBLIC_SUPABASE_URL="https://abc.supabase.co"', 'https://abc.supabase.co'],
  ])('is read from %s', (typed, url) => {
    expect(readProjectUrl(typed)).toMatchObject({ ok: true, url })
  })

  it.each([
    ['', 'url-missing'],
    ['not an address', 'url-malformed'],
    ['ftp://example.com', 'url-malformed'],
    ['javascript:alert(1)', 'url-malformed'],
    ['helpdesk', 'url-malformed'],
    ['https://supabase.com/dashboard/projects', 'url-no-project'],
    ['postgresql://postgres:secret@db.abc.supabase.co:5432/postgres', 'url-database'],
    ['https://me:secret@example.com', 'url-password'],
  ])('is refused for %s as %s', (typed, fault) => {
    expect(readProjectUrl(typed)).toEqual({ ok: false, fault })
  })

  it('gives an id that tells ports and paths apart', () => {
    expect(projectId('http://127.0.0.1:54321')).toBe('http-127-0-0-1-54321')
    expect(projectId('https://example.com/a')).not.toBe(projectId('https://example.com/b'))
  })
})

describe('the key of a project', () => {
  it.each([
    ['sb_publishable_abc'],
    [token({ role: 'anon', iss: 'supabase' })],
    ['SUPABASE_ANON_KEY=sb_publishable_abc'],
  ])('is taken when public: %s', (typed) => {
    expect(readProjectKey(typed).ok).toBe(true)
  })

  it.each([
    ['', 'key-missing'],
    ['sb_secret_abc', 'key-secret'],
    ['SUPABASE_SECRET_KEY="sb_secret_abc"', 'key-secret'],
    ['sbp_0123', 'key-secret'],
    ['two words', 'key-malformed'],
    ['eyJ', 'key-malformed'],
    [token({ role: 'service_role' }), 'key-service-role'],
    [token({ role: 'postgres' }), 'key-service-role'],
    [token({}), 'key-service-role'],
    [token({ role: 'authenticated', sub: 'someone' }), 'key-user-token'],
    [token({ role: 'anon', exp: 1 }), 'key-expired'],
  ])('is refused for %s as %s', (typed, fault) => {
    expect(readProjectKey(typed)).toEqual({ ok: false, fault })
  })
})

describe('the kept projects', () => {
  const box = { id: 'http-127-0-0-1-54321', name: 'Helpdesk', url: 'http://127.0.0.1:54321', key: 'sb_publishable_box' }
  const other = { name: 'other', url: 'https://other.example.com', key: 'sb_publishable_other' }

  function openPage() {
    const values = new Map<string, string>()
    const listeners: ((event: StorageEvent) => void)[] = []
    return {
      values,
      localStorage: { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value) },
      addEventListener: ((_type: string, listener: (event: StorageEvent) => void) => void listeners.push(listener)) as Window['addEventListener'],
      tell: () => {
        for (const listener of listeners) listener({ key: projectsKey } as StorageEvent)
      },
    }
  }

  it('start with the configured one in hand', () => {
    expect(createProjectStore([box], openPage()).snapshot().current).toMatchObject({ id: box.id, configured: true })
  })

  it('survive a reload with the choice made', () => {
    const page = openPage()
    createProjectStore([box], page).add(other)
    const reopened = createProjectStore([box], page).snapshot()
    expect(reopened.projects.map(({ name }) => name)).toEqual(['Helpdesk', 'other'])
    expect(reopened.current?.name).toBe('other')
  })

  it('are followed by the other tabs', () => {
    const page = openPage()
    const [here, there] = [createProjectStore([box], page), createProjectStore([box], page)]
    here.add(other)
    page.tell()
    expect(there.snapshot().current?.name).toBe('other')
  })

  it('give the hand back to the first when the one in hand is removed', () => {
    const store = createProjectStore([box], openPage())
    store.add(other)
    store.remove('https-other-example-com')
    expect(store.snapshot()).toMatchObject({ projects: [{ id: box.id }], current: { id: box.id } })
  })

  it('leave out a stored project with a secret key', () => {
    const page = openPage()
    page.values.set(projectsKey, JSON.stringify({ projects: [{ ...other, key: 'sb_secret_x' }], current: 'https-other-example-com' }))
    expect(createProjectStore([], page).snapshot()).toEqual({ projects: [], current: undefined })
  })

  it('last for the page where storage is refused', () => {
    const refuse = () => {
      throw new DOMException('refused', 'SecurityError')
    }
    const store = createProjectStore([], { ...openPage(), localStorage: { getItem: refuse, setItem: refuse } })
    store.add(other)
    expect(store.snapshot().current?.name).toBe('other')
  })
})
