import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { person, target } from './target.ts'

const ask = (path: string, init: RequestInit = {}) => fetch(`${target().API_URL}${path}`, { ...init, headers: { apikey: target().PUBLISHABLE_KEY, ...init.headers } })

/** Sends headers `fetch` would not. */
const askWith = (path: string, headers: Record<string, string>): Promise<number> => {
  const { hostname, port } = new URL(target().API_URL)
  return new Promise((resolve, reject) => {
    const asked = request({ host: hostname, port, path, headers: { apikey: target().PUBLISHABLE_KEY, ...headers } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('the two dialects of auth errors', () => {
  const signIn = (headers: Record<string, string>) =>
    ask('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email: 'nobody@conformance.example', password: 'wrong password' }),
    })

  test('the first one has the status in `code` and the word in `error_code`', async () => {
    const answer = await signIn({})
    expect([answer.status, await answer.json()]).toEqual([400, { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' }])
  })

  test('since 2024-01-01 the word is in `code`, and the answer says which version it speaks', async () => {
    const answer = await signIn({ 'x-supabase-api-version': '2024-01-01' })
    expect(answer.headers.get('x-supabase-api-version')).toBe('2024-01-01')
    expect([answer.status, await answer.json()]).toEqual([400, { code: 'invalid_credentials', message: 'Invalid login credentials' }])
  })
})

describe('access tokens', () => {
  test('are checked by anybody with the published keys alone, which hold nothing private', async () => {
    const { client: own, id } = await person()
    const { keys } = (await ask('/auth/v1/.well-known/jwks.json').then((answer) => answer.json())) as { keys: (JsonWebKey & { kid: string })[] }
    for (const key of keys) expect(Object.keys(key)).not.toEqual(expect.arrayContaining(['d']))
    const token = (await own.auth.getSession()).data.session?.access_token ?? ''
    const [head = '', body = '', signature = ''] = token.split('.')
    const { kid, alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string; alg: string }
    const jwk = keys.find((key) => key.kid === kid)
    expect([alg, jwk?.crv]).toEqual(['ES256', 'P-256'])
    const key = await crypto.subtle.importKey('jwk', jwk ?? {}, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify'])
    const isGood = await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(signature, 'base64url'), Buffer.from(`${head}.${body}`))
    expect(isGood).toBe(true)
    const claims = await own.auth.getClaims()
    expect(claims.data?.claims).toMatchObject({ sub: id, iss: expect.stringMatching(/\/auth\/v1$/), session_id: expect.any(String), amr: [{ method: 'password', timestamp: expect.any(Number) }] })
  })
})

describe('headers', () => {
  test('may hold a session of 30 kB in cookies', async () => {
    const cookie = Array.from({ length: 10 }, (_, part) => `sb-conformance-auth-token.${part}=${'x'.repeat(3000)}`).join('; ')
    expect(cookie.length).toBeGreaterThan(30_000)
    expect(await askWith('/rest/v1/announcements?select=id', { cookie })).toBe(200)
    expect(await askWith('/auth/v1/settings', { cookie })).toBe(200)
  })

  test('have an end', async () => {
    const status = await askWith('/rest/v1/announcements', { cookie: 'x'.repeat(1_000_000) }).catch((error: NodeJS.ErrnoException) => error.code)
    expect([400, 431, 'ECONNRESET', 'EPIPE']).toContain(status)
  })

  test('name every request, so that it is found in the log', async () => {
    const [one, other] = await Promise.all([ask('/auth/v1/settings'), ask('/auth/v1/settings')])
    expect(one.headers.get('x-request-id') ?? one.headers.get('sb-request-id')).toBeTruthy()
    expect(one.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id') ?? '')
  })
})

// A hosted project has these; the box says in each one's words that it has not.
describe.skipIf(process.env.PORTICO_CONFORMANCE_STATUS !== undefined)('a service that is not there yet', () => {
  test('says so in its own dialect', async () => {
    const answer = await ask('/graphql/v1', { method: 'POST', body: '{}' })
    expect([answer.status, await answer.json()]).toEqual([501, { errors: [{ message: 'This service is not part of this backend yet' }] }])
  })
})
