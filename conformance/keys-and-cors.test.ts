import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { person, target } from './target.ts'

const read = (headers: Record<string, string>) => fetch(`${target().API_URL}/rest/v1/announcements?select=id`, { headers })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = (header: object, payload: object, secret: string) => {
  const body = `${encode(header)}.${encode(payload)}`
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

describe('API keys', () => {
  test('the publishable key, and the older anon key, read what anybody may read', async () => {
    for (const key of [target().PUBLISHABLE_KEY, target().ANON_KEY]) {
      const answer = await read({ apikey: key })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual([{ id: 1 }, { id: 2 }])
    }
  })

  test('a request without a key, or with a wrong one, is refused before any service sees it', async () => {
    expect((await read({})).status).toBe(401)
    expect((await read({ apikey: 'sb_publishable_wrong' })).status).toBe(401)
    expect((await read({ apikey: `${target().PUBLISHABLE_KEY}x` })).status).toBe(401)
  })

  test('the secret key is refused when a browser sends it', async () => {
    const answer = await read({ apikey: target().SECRET_KEY, origin: 'https://app.example', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156' })
    expect(answer.status).toBe(401)
  })

  test('a token of another secret, without a signature, expired, or with a foreign key id is refused', async () => {
    const payload = { role: 'service_role', exp: inAnHour() }
    const tokens = [
      signed({ alg: 'HS256', typ: 'JWT' }, payload, 'another-secret-another-secret-another'),
      `${encode({ alg: 'none', typ: 'JWT' })}.${encode(payload)}.`,
      signed({ alg: 'HS256', typ: 'JWT' }, { ...payload, exp: inAnHour() - 7200 }, target().JWT_SECRET),
      signed({ alg: 'ES256', typ: 'JWT', kid: 'nobody' }, payload, target().JWT_SECRET),
    ]
    for (const token of tokens) expect((await read({ apikey: target().PUBLISHABLE_KEY, authorization: `Bearer ${token}` })).status).toBe(401)
  })

  test('a public signing key is not taken for an HMAC secret', async () => {
    const { keys } = (await fetch(`${target().API_URL}/auth/v1/.well-known/jwks.json`).then((answer) => answer.json())) as { keys: { kid: string }[] }
    for (const key of keys) {
      const forged = signed({ alg: 'HS256', typ: 'JWT', kid: key.kid }, { role: 'service_role', exp: inAnHour() }, JSON.stringify(key))
      expect((await read({ apikey: target().PUBLISHABLE_KEY, authorization: `Bearer ${forged}` })).status).toBe(401)
    }
  })

  test('access tokens are signed with a key the JWKS names, which the client verifies without asking', async () => {
    const { client } = await person()
    const claims = await client.auth.getClaims()
    expect(claims.error).toBeNull()
    expect(claims.data?.header.alg).toBe('ES256')
    expect(claims.data?.claims).toMatchObject({ role: 'authenticated', aud: 'authenticated', aal: 'aal1', is_anonymous: false })
  })
})

describe('CORS', () => {
  test('a page of any origin may ask, and is told what it may read', async () => {
    const preflight = await fetch(`${target().API_URL}/rest/v1/notes`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'apikey,authorization,content-type,prefer,x-client-info,content-profile' },
    })
    expect(preflight.ok).toBe(true)
    expect(preflight.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/app\.example)$/)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
    const answer = await read({ apikey: target().PUBLISHABLE_KEY, origin: 'https://app.example' })
    expect(answer.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/app\.example)$/)
    expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('content-range')
  })

  test('a name that only points at this machine is not answered', async () => {
    const { request } = await import('node:http')
    const url = new URL(target().API_URL)
    const status = await new Promise<number>((resolve, reject) => {
      request({ host: url.hostname, port: url.port, path: '/', headers: { host: 'attacker.example' } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBeGreaterThanOrEqual(400)
  })
})
