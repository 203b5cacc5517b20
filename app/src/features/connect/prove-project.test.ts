import { describe, expect, it } from 'vitest'
import { proveProject, type ProofParts } from './prove-project.ts'

const settings = () => Response.json({ external: { email: true }, disable_signup: false })
const parts = (fetch: (url: string, init: RequestInit) => Promise<Response> | Response, page: Partial<ProofParts['page']> = {}): ProofParts => ({
  url: 'https://abc.example.com',
  key: 'sb_publishable_x',
  fetch: async (input, init) => fetch(String(input), init ?? {}),
  page: { protocol: 'https:', isOnline: true, keepsCookies: true, ...page },
  watchPolicy: () => ({ refused: () => false, stop: () => {} }),
})
const silence = () => Promise.reject(new TypeError('Failed to fetch'))

describe('the proof of a project', () => {
  it('holds when settings and health answer to the key', async () => {
    const asked: string[] = []
    const proof = await proveProject(
      parts((url, init) => {
        asked.push(`${url} ${new Headers(init.headers).get('apikey')}`)
        return url.endsWith('/settings') ? settings() : Response.json({ name: 'GoTrue' })
      }),
    )
    expect(proof).toEqual({ ok: true })
    expect(asked).toEqual(['https://abc.example.com/auth/v1/settings sb_publishable_x', 'https://abc.example.com/auth/v1/health sb_publishable_x'])
  })

  it.each([
    ['wrong-key', () => Response.json({ message: 'Invalid API key' }, { status: 401 })],
    ['not-a-backend', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
    ['not-a-backend', () => new Response('Not found', { status: 404 })],
    ['not-a-backend', () => Response.json({ hello: 'world' })],
    ['broken', () => new Response('upstream', { status: 503 })],
    ['unreachable', silence],
  ])('fails as %s', async (fault, answer) => {
    expect(await proveProject(parts(answer))).toMatchObject({ ok: false, fault })
  })

  it('tells a server that does not admit this page from one that is not there', async () => {
    const proof = await proveProject(parts((_url, init) => (init.mode === 'no-cors' ? new Response() : silence())))
    expect(proof).toMatchObject({ ok: false, fault: 'cors' })
  })

  it('says offline only where the network is needed', async () => {
    expect(await proveProject(parts(silence, { isOnline: false }))).toMatchObject({ fault: 'offline' })
    expect(await proveProject({ ...parts(silence, { isOnline: false }), url: 'http://127.0.0.1:1' })).toMatchObject({ fault: 'unreachable' })
  })

  it('names what the page itself forbids, before asking', async () => {
    const never = () => {
      throw new Error('must not be asked')
    }
    expect(await proveProject({ ...parts(never), url: 'http://abc.example.com' })).toMatchObject({ fault: 'mixed-content' })
    expect(await proveProject(parts(never, { keepsCookies: false }))).toMatchObject({ fault: 'cookies-blocked' })
  })

  it('names the page policy when it refused the call', async () => {
    const proof = await proveProject({ ...parts(silence), watchPolicy: () => ({ refused: () => true, stop: () => {} }) })
    expect(proof).toMatchObject({ fault: 'blocked' })
  })
})
