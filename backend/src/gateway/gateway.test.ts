import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProjectKeys } from '#contract/keys.ts'
import { ServiceError } from '#contract/service-error.ts'
import type { RequestContext, Service } from '#contract/service.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { createJsonLogger } from './json-logger.ts'
import { openPort, type OpenPort } from './server.ts'

const nowSeconds = 1_700_000_000
const issuer = 'http://127.0.0.1:54321/auth/v1'
const secret = 'a-secret-of-at-least-thirty-two-bytes!'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const es256 = (claims: object, { key = privateKey, header = {} }: { key?: typeof privateKey; header?: object } = {}) => {
  const body = `${part({ alg: 'ES256', typ: 'JWT', kid: 'k1', ...header })}.${part({ iss: issuer, exp: nowSeconds + 60, ...claims })}`
  return `${body}.${sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
const hs256 = (claims: object, { key = secret as string | Buffer, header = {} } = {}) => {
  const body = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${part(claims)}`
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
}

const publicJwk = { ...privateKey.export({ format: 'jwk' }), d: undefined, kid: 'k1' } as unknown as JsonWebKey
const keys: ProjectKeys = {
  publishableKey: 'sb_publishable_aaaaaaaaaaaaaaaaaaaaaa_bbbbbbbb',
  secretKey: 'sb_secret_cccccccccccccccccccccc_dddddddd',
  jwtSecret: secret,
  anonKey: hs256({ iss: 'supabase', role: 'anon', exp: nowSeconds + 1e6 }),
  serviceRoleKey: hs256({ iss: 'supabase', role: 'service_role', exp: nowSeconds + 1e6 }),
  signing: { alg: 'HS256' },
  publicJwks: [publicJwk],
}

const echo: Service = {
  async handle(request, context) {
    if (context.path === '/boom') throw new Error('the cause, with password=hunter2')
    if (context.path === '/refuse') throw new ServiceError({ status: 409, code: 'taken', message: 'It is taken' })
    const { caller, tokenFault, origin, ip, path, url } = context
    const body = request.method === 'POST' ? await request.text() : undefined
    return Response.json({ role: caller.role, claims: caller.claims, facts: caller.request, tokenFault, token: context.token, origin, ip, path, search: url.search, bytes: body?.length })
  },
  renderError(error: unknown, _request: Request, context: RequestContext) {
    if (error instanceof ServiceError) return Response.json({ dialect: 'echo', code: error.code }, { status: error.status })
    return Response.json({ dialect: 'echo', id: context.requestId }, { status: 500 })
  },
}

const lines: string[] = []
let nowMs = nowSeconds * 1000
const clock = { now: () => nowMs }

const makeGateway = (more: object = {}): Gateway =>
  createGateway({
    api: {
      mounts: [
        { prefix: '/closed/v1', service: echo, needsKey: (path) => !path.startsWith('/open'), maxBodyBytes: 1000 },
        { prefix: '/open/v1', service: echo, needsKey: () => false, maxBodyBytes: 1000 },
        { prefix: '/large/v1', service: echo, needsKey: () => true, maxBodyBytes: 2000, maxPublicBodyBytes: 1000 },
      ],
      keys,
      isIssuer: (iss) => iss === issuer || iss === 'supabase',
      allowsRole: (role) => ['anon', 'authenticated', 'service_role', 'manager'].includes(role),
    },
    clock,
    log: createJsonLogger({ clock, write: (line) => void lines.push(line) }),
    checkHealth: async () => undefined,
    fallback: async () => new Response('<app>', { headers: { 'content-type': 'text/html' } }),
    ...more,
  })

const gateway = makeGateway()
const ask = async (path: string, headers: Record<string, string> = {}, { through = gateway, ...init }: RequestInit & { through?: Gateway } = {}) => {
  const response = await through.fetch(new Request(`http://127.0.0.1:54321${path}`, { headers, ...init }))
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text } }
}
const apikey = keys.publishableKey
const asBearer = (token: string, more: Record<string, string> = {}) => ask('/closed/v1/x', { apikey, authorization: `Bearer ${token}`, ...more })

describe('the key', () => {
  test('missing is answered as the hosted gateway does', async () => {
    const { status, body } = await ask('/closed/v1/x')
    expect(status).toBe(401)
    expect(body).toEqual({ message: 'No API key found in request', hint: 'No `apikey` request header or url param was found.' })
  })

  test('is not asked for where a path is open, and the caller is then anon', async () => {
    expect((await ask('/closed/v1/open')).body.role).toBe('anon')
    expect((await ask('/open/v1/x')).body.role).toBe('anon')
  })

  test('unknown is refused, whole or in part, everywhere', async () => {
    for (const key of ['nonsense', apikey.slice(0, -1), `${apikey}x`, 'sb_secret_', hs256({ role: 'service_role' }, { key: 'other-secret' })]) {
      const { status, body } = await ask('/open/v1/x', { apikey: key })
      expect([key, status, body.message]).toEqual([key, 401, 'Invalid API key'])
    }
  })

  test('gives its role, from header, bearer or query', async () => {
    expect((await ask('/closed/v1/x', { apikey })).body.role).toBe('anon')
    expect((await ask('/closed/v1/x', { apikey: keys.anonKey })).body.role).toBe('anon')
    expect((await ask('/closed/v1/x', { apikey: keys.secretKey })).body.role).toBe('service_role')
    expect((await ask('/closed/v1/x', { authorization: `Bearer ${keys.secretKey}` })).body.role).toBe('service_role')
    expect((await ask('/closed/v1/x', { authorization: `Bearer ${keys.serviceRoleKey}` })).body.role).toBe('service_role')
    const inQuery = await ask(`/closed/v1/x?id=eq.1&apikey=${apikey}`)
    expect(inQuery.body).toMatchObject({ role: 'anon', search: '?id=eq.1' })
  })

  test('made elsewhere with the shared secret works; a person\'s token is no key', async () => {
    expect((await ask('/closed/v1/x', { apikey: hs256({ role: 'service_role' }) })).body.role).toBe('service_role')
    const person = es256({ role: 'authenticated', sub: 'u1' })
    expect((await ask('/closed/v1/x', { apikey: person })).status).toBe(401)
    expect((await ask('/closed/v1/x', { authorization: `Bearer ${person}` })).body.message).toBe('No API key found in request')
  })

  test('secret from a browser is refused as the hosted gateway does, however it travels', async () => {
    const browsers: Record<string, string>[] = [{ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140' }, { origin: 'http://localhost:3000' }]
    for (const browser of browsers) {
      for (const sent of [{ apikey: keys.secretKey }, { apikey, authorization: `Bearer ${keys.secretKey}` }] as Record<string, string>[]) {
        const { status, body, headers } = await ask('/open/v1/x', { ...sent, ...browser })
        expect([status, body.message]).toEqual([401, 'Forbidden use of secret API key in browser'])
        expect(headers.get('sb-error-code')).toBe('UNAUTHORIZED_INVALID_API_KEY_TYPE')
      }
    }
  })

  test('with all rights is hidden from what SQL can read; session cookies of the app too', async () => {
    const { body } = await ask('/closed/v1/x', { apikey: keys.secretKey, authorization: `Bearer ${keys.secretKey}`, 'x-mine': 'yes', cookie: 'theme=dark; sb-x-auth-token=base64-abc' })
    expect(JSON.stringify(body)).not.toMatch(/sb_secret|base64-abc/)
    expect(body.facts).toMatchObject({ method: 'GET', path: '/x', headers: { 'x-mine': 'yes' }, cookies: { theme: 'dark' } })
  })
})

describe('the bearer token', () => {
  test('signed ES256 or HS256 gives role, claims and itself', async () => {
    const token = es256({ role: 'authenticated', sub: 'u1', app_metadata: { plan: 'x' } })
    expect((await asBearer(token)).body).toMatchObject({ role: 'authenticated', token, claims: { sub: 'u1', app_metadata: { plan: 'x' } } })
    expect((await asBearer(hs256({ role: 'manager', exp: nowSeconds + 9 }))).body.role).toBe('manager')
  })

  test('decides the role even beside the secret key', async () => {
    const { body } = await ask('/closed/v1/x', { apikey: keys.secretKey, authorization: `Bearer ${es256({ role: 'authenticated', sub: 'u1' })}` })
    expect(body.role).toBe('authenticated')
  })

  test('without a role counts as anon with its claims', async () => {
    expect((await asBearer(hs256({ sub: 'u1' }))).body).toMatchObject({ role: 'anon', claims: { sub: 'u1' } })
  })

  // The oldest trick: the public key, which anyone has, as the HMAC secret.
  const confused = hs256({ role: 'service_role', iss: issuer }, { key: JSON.stringify(publicJwk), header: { kid: 'k1' } })

  test.each([
    ['malformed', 'abc'],
    ['malformed', 'a.b.c'],
    ['malformed', es256({ role: 'authenticated' }, { header: { crit: ['exp'] } })],
    ['malformed', es256({ role: 'authenticated', exp: 'never' })],
    ['bad-signature', `${part({ alg: 'none' })}.${part({ role: 'service_role' })}.eA`],
    ['bad-signature', es256({ role: 'authenticated' }, { key: stranger })],
    ['bad-signature', es256({ role: 'authenticated' }).slice(0, -4) + 'AAAA'],
    ['bad-signature', hs256({ role: 'service_role' }, { key: 'other' })],
    ['bad-signature', hs256({ role: 'authenticated', exp: nowSeconds + 9 }, { header: { kid: 'k1' } })],
    ['bad-signature', confused],
    ['bad-signature', es256({ role: 'authenticated' }, { header: { alg: 'RS256' } })],
    ['unknown-key', es256({ role: 'authenticated' }, { header: { kid: 'k9' } })],
    ['unknown-key', es256({ role: 'authenticated' }, { header: { kid: undefined } })],
    ['expired', es256({ role: 'authenticated', exp: nowSeconds })],
    ['not-yet-valid', es256({ role: 'authenticated', nbf: nowSeconds + 60 })],
    ['wrong-issuer', es256({ role: 'authenticated', iss: 'https://elsewhere.example/auth/v1' })],
    ['wrong-issuer', es256({ role: 'authenticated', iss: undefined })],
    ['unknown-role', es256({ role: 'postgres' })],
    ['unknown-role', es256({ role: undefined, aud: 'an-application', client_id: 'an-application' })],
    ['unknown-role', hs256({ role: ['service_role'] })],
  ])('%s is told, and the caller keeps the key\'s own role', async (fault, token) => {
    expect((await asBearer(token)).body).toMatchObject({ role: 'anon', claims: { role: 'anon' }, tokenFault: fault })
    expect((await asBearer(token)).body.token).toBeUndefined()
  })

  test('remembered as good stops being good when it expires', async () => {
    const token = es256({ role: 'authenticated', sub: 'u1' })
    expect((await asBearer(token)).body.role).toBe('authenticated')
    nowMs += 60_000
    expect((await asBearer(token)).body).toMatchObject({ role: 'anon', tokenFault: 'expired' })
    nowMs -= 60_000
  })
})

describe('requests', () => {
  test('of a preflight are answered at the door for any page, without a key', async () => {
    const { status, headers } = await ask('/closed/v1/x', { origin: 'https://a.example', 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'apikey,x-mine' }, { method: 'OPTIONS' })
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-headers')).toBe('apikey,x-mine')
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(headers.get('access-control-max-age')).toBe('3600')
  })

  test('of any other OPTIONS reach the service', async () => {
    expect((await ask('/open/v1/x', {}, { method: 'OPTIONS' })).body.path).toBe('/x')
  })

  test('carry CORS on every answer of the API and none on the app\'s', async () => {
    for (const path of ['/open/v1/x', '/open/v1/boom', '/closed/v1/x']) {
      expect((await ask(path)).headers.get('access-control-allow-origin')).toBe('*')
    }
    expect((await ask('/sign-in')).headers.get('access-control-allow-origin')).toBeNull()
  })

  test('are told apart by whole path segments', async () => {
    expect((await ask('/open/v1')).body.path).toBe('/')
    expect((await ask('/open/v10/x')).body.text).toBe('<app>')
  })

  test('that fail are rendered by the service, and an unexpected cause goes to the log only', async () => {
    expect(await ask('/open/v1/refuse')).toMatchObject({ status: 409, body: { dialect: 'echo', code: 'taken' } })
    lines.length = 0
    const { status, body, headers } = await ask('/open/v1/boom')
    expect([status, body]).toEqual([500, { dialect: 'echo', id: headers.get('x-request-id') }])
    expect(lines.find((line) => line.includes('request failed'))).toContain('the cause')
  })

  test('leave one line each, without query, keys or tokens', async () => {
    lines.length = 0
    const token = es256({ role: 'authenticated', sub: 'u1' })
    await ask(`/closed/v1/verify?token=hush&apikey=${apikey}`, { authorization: `Bearer ${token}` })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: 'request', method: 'GET', path: '/closed/v1/verify', status: 200, role: 'authenticated' })
    expect(lines[0]).not.toMatch(/hush|sb_publishable|eyJ/)
  })

  test('of more than the service takes are refused in its dialect, declared or not', async () => {
    const declared = await ask('/open/v1/x', { 'content-length': '1001' }, { method: 'POST', body: 'x'.repeat(1001) })
    expect(declared).toMatchObject({ status: 413, body: { dialect: 'echo', code: 'request_entity_too_large' } })
    const stream = new ReadableStream({ start: (c) => { for (let i = 0; i < 11; i += 1) c.enqueue(new Uint8Array(100)); c.close() } })
    const streamed = await ask('/open/v1/x', {}, { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
    expect(streamed.status).toBe(413)
    expect((await ask('/open/v1/x', {}, { method: 'POST', body: 'x'.repeat(1000) })).body.bytes).toBe(1000)
    const large = (headers: Record<string, string>) => ask('/large/v1/x', headers, { method: 'POST', body: 'x'.repeat(1500) })
    expect((await large({ apikey })).status).toBe(413)
    expect((await large({ apikey, authorization: `Bearer ${es256({ role: 'authenticated' })}` })).status).toBe(413)
    expect((await large({ apikey: keys.secretKey })).body.bytes).toBe(1500)
  })

  test('under a foreign host name are refused on loopback, so that no page can rebind its name to the box', async () => {
    const fetchAs = async (url: string, through = gateway) => (await through.fetch(new Request(url))).status
    for (const url of ['http://evil.example:54321/health', 'http://127.0.0.1.evil.example/open/v1/x', 'http://evil.example/', 'http://192.168.0.9/']) {
      expect([url, await fetchAs(url)]).toEqual([url, 421])
    }
    for (const url of ['http://localhost:1/health', 'http://[::1]:1/health', 'http://127.0.0.9/health', 'http://app.localhost/health']) {
      expect([url, await fetchAs(url)]).toEqual([url, 200])
    }
    expect(await fetchAs('http://box.example/health', makeGateway({ allowedHosts: ['box.example'] }))).toBe(200)
    expect(await fetchAs('http://box.example/health', makeGateway({ boundHost: '0.0.0.0' }))).toBe(200)
  })

  test('believe forwarded headers from a trusted proxy only', async () => {
    const forwarded = { 'x-forwarded-for': '6.6.6.6, 9.9.9.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.com' }
    expect((await ask('/open/v1/x', forwarded)).body).toMatchObject({ ip: '127.0.0.1', origin: 'http://127.0.0.1:54321' })
    const trusting = makeGateway({ trustedProxies: ['127.0.0.1'] })
    expect((await ask('/open/v1/x', forwarded, { through: trusting })).body).toMatchObject({ ip: '9.9.9.9', origin: 'https://api.example.com' })
  })

  test('for health say whether the box can answer', async () => {
    expect((await ask('/health')).body).toMatchObject({ status: 'ok' })
    const sick = makeGateway({ checkHealth: () => Promise.reject(new Error('gone')) })
    expect((await ask('/health', {}, { through: sick })).status).toBe(503)
  })
})

describe('on a port', () => {
  let listening: OpenPort
  let base = ''
  beforeAll(async () => {
    listening = await openPort({ host: '127.0.0.1', ports: [0] })
    base = `http://127.0.0.1:${listening.port}`
    const early = await fetch(`${base}/health`)
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1'])
    listening.serve(gateway)
  })
  afterAll(() => listening.close(100))

  test('answers with the service\'s and the gateway\'s headers', async () => {
    const response = await fetch(`${base}/open/v1/x`)
    expect(await response.json()).toMatchObject({ role: 'anon', ip: '127.0.0.1', origin: base })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(response.headers.get('content-type')).toContain('application/json')
  })

  test('takes bodies, and refuses too large ones', async () => {
    expect(await (await fetch(`${base}/open/v1/x`, { method: 'POST', body: 'abc' })).json()).toMatchObject({ bytes: 3 })
    expect((await fetch(`${base}/open/v1/x`, { method: 'POST', body: 'x'.repeat(1001) })).status).toBe(413)
  })

  test('takes the cookies of several large sessions', async () => {
    const response = await fetch(`${base}/open/v1/x`, { headers: { cookie: `a=${'x'.repeat(100_000)}` } })
    expect(response.status).toBe(200)
  })

  test('goes to the next free one when it is taken, and says so when there is none', async () => {
    const next = await openPort({ host: '127.0.0.1', ports: [listening.port, 0] })
    expect(next.port).not.toBe(listening.port)
    await next.close(0)
    await expect(openPort({ host: '127.0.0.1', ports: [listening.port] })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('answers odd methods and malformed addresses without falling over', async () => {
    const raw = (method: string, path: string) =>
      new Promise((resolve) => {
        const sent = httpRequest({ host: '127.0.0.1', port: listening.port, method, path }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        sent.on('error', () => resolve('cut'))
        sent.end()
      })
    for (const [method, path] of [['TRACE', '/open/v1/x'], ['PROPFIND', '/open/v1/x'], ['GET', '//'], ['GET', '/open/v1/%'], ['GET', '/open/v1/x?%zz'], ['GET', 'http://[x/']] as const) {
      expect([method, path, await raw(method, path)]).not.toContain(500)
    }
    expect((await fetch(`${base}/health`)).status).toBe(200)
  })

  test('refuses a foreign Host header', async () => {
    const status = await new Promise((resolve) => {
      httpRequest({ host: '127.0.0.1', port: listening.port, path: '/health', headers: { host: 'evil.example' } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).end()
    })
    expect(status).toBe(421)
  })
})

test('a key or a token that somebody puts into the path stays out of the log', async () => {
  lines.length = 0
  const token = es256({ role: 'authenticated', sub: 'ada' })
  for (const path of [`/open/v1/${keys.secretKey}`, `/open/v1/users/${token}/rows`, `/nowhere/${keys.serviceRoleKey}`]) await ask(path)
  expect(lines.join()).not.toMatch(/sb_secret_|eyJ/)
  expect(lines.join()).toContain('/open/v1/users/…/rows')
})
