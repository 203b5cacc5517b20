import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '#contract/clock.ts'
import type { Service, UpgradeContext } from '#contract/service.ts'
import { createGateway } from './gateway.ts'
import { createJsonLogger } from './json-logger.ts'
import { openPort, type OpenPort } from './server.ts'

const secret = 'a-secret-of-at-least-thirty-two-bytes!'
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (claims: object, key = secret) => {
  const body = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
}
const keys = {
  publishableKey: 'sb_publishable_aaaaaaaaaaaaaaaaaaaaaa_bbbbbbbb',
  secretKey: 'sb_secret_cccccccccccccccccccccccc_dddddddd',
  jwtSecret: secret,
  anonKey: tokenOf({ role: 'anon' }),
  serviceRoleKey: tokenOf({ role: 'service_role' }),
  signing: { alg: 'HS256' },
  publicJwks: [],
} as const

const sockets = new WebSocketServer({ noServer: true })
const seen: UpgradeContext[] = []
const handle = async () => Response.json({})
const live: Service = {
  handle,
  renderError: () => new Response(null, { status: 500 }),
  upgrade: ({ request, socket, head }, context) =>
    new Promise((resolve) => {
      seen.push(context)
      sockets.handleUpgrade(request, socket, head, (opened) => {
        opened.on('message', async (text) => opened.send(JSON.stringify(await context.verifyToken(String(text)))))
        resolve(101)
      })
    }),
  endUpgraded: async () => {
    for (const opened of sockets.clients) opened.close(1012)
  },
}
const plain: Service = { handle, renderError: live.renderError }

const lines: string[] = []
let port: OpenPort
beforeAll(async () => {
  port = await openPort({ host: '127.0.0.1', ports: [0] })
  port.serve(
    createGateway({
      api: {
        mounts: [
          { prefix: '/live/v1', service: live, needsKey: () => true, maxBodyBytes: 1000 },
          { prefix: '/plain/v1', service: plain, needsKey: () => true, maxBodyBytes: 1000 },
        ],
        keys,
        isIssuer: () => true,
        allowsRole: (role) => role !== 'postgres',
      },
      clock: systemClock,
      log: createJsonLogger({ clock: systemClock, write: (line) => void lines.push(line) }),
      checkHealth: async () => undefined,
    }),
  )
})
afterAll(() => port.close(0))

type Answer = { opened: WebSocket; context: UpgradeContext | undefined } | { status: number | undefined; body: string }

const open = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const client = new WebSocket(`ws://127.0.0.1:${port.port}${path}`, { headers })
    client.once('open', () => resolve({ opened: client, context: seen.at(-1) }))
    client.once('unexpected-response', (_request, answer) => {
      let body = ''
      answer.on('data', (chunk: Buffer) => (body += chunk.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode, body }))
    })
    client.once('error', reject)
  })

const identityOf = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await open(path, headers)
  if (!('opened' in answer)) return answer
  answer.opened.close()
  return answer.context?.identity
}

test('a socket comes with what its key stands for, and the header wins over the query', async () => {
  expect(await identityOf(`/live/v1/socket?apikey=${keys.publishableKey}`)).toEqual({ role: 'anon', claims: { role: 'anon' }, isKey: true })
  expect(await identityOf(`/live/v1/socket?apikey=${keys.publishableKey}`, { 'x-api-key': keys.secretKey })).toMatchObject({ role: 'service_role' })
  expect(await identityOf(`/live/v1/socket?apikey=${tokenOf({ role: 'authenticated', sub: 'ada' })}`)).toEqual({
    role: 'authenticated',
    claims: { role: 'authenticated', sub: 'ada' },
    isKey: false,
  })
  expect(await identityOf('/live/v1/socket')).toBeUndefined()
})

test('forged tokens and roles nobody may take stand for nothing', async () => {
  expect(await identityOf(`/live/v1/socket?apikey=${tokenOf({ role: 'service_role' }, 'another secret, of thirty-two bytes too')}`)).toEqual({ fault: 'bad-signature' })
  expect(await identityOf(`/live/v1/socket?apikey=${tokenOf({ role: 'postgres' })}`)).toEqual({ fault: 'unknown-role' })
  expect(await identityOf('/live/v1/socket?apikey=sb_publishable_nobody')).toEqual({ fault: 'malformed' })
})

test('a token that comes later is checked as one in a request is', async () => {
  const answer = await open(`/live/v1/socket?apikey=${keys.publishableKey}`)
  if (!('opened' in answer)) throw new Error('not opened')
  const reply = new Promise((resolve) => answer.opened.once('message', (text) => resolve(JSON.parse(String(text)))))
  answer.opened.send(tokenOf({ role: 'authenticated', exp: 1 }))
  expect(await reply).toEqual({ fault: 'expired' })
  answer.opened.close()
})

test('keys reach neither the service nor the log', async () => {
  lines.length = 0
  await identityOf(`/live/v1/socket?apikey=${keys.secretKey}&vsn=2.0.0`)
  await identityOf('/live/v1/socket', { 'x-api-key': keys.secretKey, authorization: `Bearer ${keys.serviceRoleKey}` })
  expect(seen.slice(-2).map(({ url, facts }) => url.href + JSON.stringify(facts)).join()).not.toMatch(/sb_secret_|eyJ/)
  expect(lines.join()).not.toMatch(/sb_secret_|eyJ/)
  expect(lines.join()).toContain('"status":101')
})

test('a page that sends the secret key is refused', async () => {
  expect(await open(`/live/v1/socket?apikey=${keys.secretKey}`, { origin: 'https://shop.example' })).toMatchObject({ status: 401 })
})

test('any page may open a socket, under a name of this box only', async () => {
  expect(await open('/live/v1/socket', { origin: 'https://shop.example' })).toMatchObject({ opened: expect.anything() as unknown })
  expect(await open('/live/v1/socket', { host: 'evil.example' })).toMatchObject({ status: 421 })
})

test('what takes no socket says so', async () => {
  expect(await open('/plain/v1/socket')).toMatchObject({ status: 501 })
  expect(await open('/nowhere')).toMatchObject({ status: 404 })
})

const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(port.port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', () => resolve(answer))
  })

test('what is smuggled behind a refused upgrade is never answered', async () => {
  const second = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
  for (const head of [
    'GET /plain/v1/x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET /live/v1/x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    'GET http://evil.example/live/v1/x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    `GET /live/v1/x HTTP/1.1\r\nHost: evil.example@127.0.0.1/\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ]) {
    const answer = await sendRaw(head + second)
    expect(answer).toMatch(/^HTTP\/1\.1 (4|5)\d\d /)
    expect(answer).not.toContain('portico')
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  }
})

test('a connection that was refused is let go of, though its client holds on', async () => {
  const socket = connect({ port: port.port, host: '127.0.0.1', allowHalfOpen: true })
  const gone = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined).on('data', () => undefined)
  socket.write('GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const holding = setInterval(() => socket.write('x'), 200)
  await gone
  clearInterval(holding)
}, 20_000)

test('when the port closes, sockets are told to come back', async () => {
  const own = await openPort({ host: '127.0.0.1', ports: [0] })
  own.serve(createGateway({ api: { mounts: [{ prefix: '/live/v1', service: live, needsKey: () => true, maxBodyBytes: 1 }], keys, isIssuer: () => true, allowsRole: () => true }, clock: systemClock, log: createJsonLogger({ clock: systemClock, write: () => undefined }), checkHealth: async () => undefined }))
  const client = new WebSocket(`ws://127.0.0.1:${own.port}/live/v1/socket`)
  await new Promise((resolve) => client.once('open', resolve))
  const code = new Promise((resolve) => client.once('close', resolve))
  await own.close(10_000)
  expect(await code).toBe(1012)
})
