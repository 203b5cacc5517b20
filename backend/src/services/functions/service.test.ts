import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noDeno, openTestFunctions, testKeys, until } from './open-test-functions.ts'

if (noDeno !== undefined) console.warn(`Tests with a real Deno are left out: ${noDeno}`)

type Box = ReturnType<typeof openTestFunctions>
let box: Box
beforeAll(() => {
  box = openTestFunctions({ functions: { open: { verifyJwt: false } } })
})
afterAll(() => box.close())

test('without Deno the call and the start say in a sentence what to do', async () => {
  const without = openTestFunctions({ deno: { missing: 'Functions need Deno.' } })
  expect(without.service.warnings).toEqual([])
  without.write('hello/index.ts', '')
  const again = openTestFunctions({ deno: { missing: 'Functions need Deno.' }, supabaseFolder: without.folder })
  expect(again.service.warnings).toEqual(['Functions need Deno.'])
  const answer = await without.call('/hello')
  expect([answer.status, answer.headers.get('x-relay-error'), await answer.json()]).toEqual([501, 'true', { code: 'NOT_IMPLEMENTED', message: 'Functions need Deno.' }])
  await again.close()
  await without.close()
})

describe.skipIf(noDeno !== undefined)('a function', { timeout: 60_000 }, () => {
  test('gets the request as it was sent and its answer goes back as it was made', async () => {
    box.write('echo/index.ts', `Deno.serve(async (request: Request) => {
      const headers = Object.fromEntries(request.headers)
      return new Response(JSON.stringify({ url: request.url, method: request.method, headers, body: await request.text() }), {
        status: 207, headers: [['x-own', 'yes'], ['set-cookie', 'a=1'], ['set-cookie', 'b=2'], ['content-type', 'application/json']],
      })
    })`)
    const answer = await box.call('/echo/some/path?q=1&forceFunctionRegion=x', {
      method: 'PUT', body: 'wörds', headers: { 'x-client-info': 'test', cookie: 'own=1; sb-session=secret', 'x-portico-url': 'http://evil', 'x-forwarded-for': '6.6.6.6' },
    })
    expect([answer.status, answer.headers.get('x-own'), answer.headers.getSetCookie()]).toEqual([207, 'yes', ['a=1', 'b=2']])
    const { url, method, headers, body } = (await answer.json()) as { url: string; method: string; headers: Record<string, string>; body: string }
    expect({ url, method, body }).toEqual({ url: 'http://127.0.0.1:54321/echo/some/path?q=1&forceFunctionRegion=x', method: 'PUT', body: 'wörds' })
    expect(headers).toMatchObject({ 'x-client-info': 'test', cookie: 'own=1', 'x-forwarded-for': '127.0.0.1' })
    expect(Object.keys(headers).filter((name) => name.startsWith('x-portico'))).toEqual([])
  })

  test('answers with pages that may run, but not as the app whose origin they come from', async () => {
    box.write('page/index.ts', `Deno.serve((request) => new Response('<script>1</script>', { headers: { 'content-type': new URL(request.url).searchParams.get('type')!, 'content-security-policy': "img-src 'none'" } }))`)
    const headersOf = async (type: string) => {
      const { headers } = await box.call(`/page?type=${encodeURIComponent(type)}`)
      return [headers.get('content-security-policy'), headers.get('x-content-type-options')]
    }
    for (const type of ['text/html', 'image/svg+xml', 'application/xml']) expect(await headersOf(type)).toEqual([expect.stringMatching(/^img-src 'none', sandbox (?!.*same-origin)/), 'nosniff'])
    expect(await headersOf('application/pdf')).toEqual(["img-src 'none'", 'nosniff'])
  })

  test('is not found when there is none of that name', async () => {
    for (const path of ['/nope', '/', '/..%2f', '/_shared']) {
      const answer = await box.call(path)
      expect([path, answer.status, await answer.text()]).toEqual([path, 404, 'Function not found'])
    }
  })

  test('is told no more of the caller than a token that was proven, unless verify_jwt is off', async () => {
    for (const name of ['closed', 'open']) box.write(`${name}/index.ts`, 'Deno.serve((request) => new Response(request.headers.get("authorization")))')
    const say = async (headers: Record<string, string>, more: object = {}) => {
      const answer = await box.call('/closed', { headers, bare: true, ...more })
      return [answer.status, answer.headers.get('x-relay-error'), await answer.text()]
    }
    expect(await say({})).toEqual([401, 'true', '{"msg":"Error: Missing authorization header"}'])
    expect(await say({ authorization: 'Basic eA==' })).toEqual([401, 'true', `{"msg":"Error: Auth header is not 'Bearer {token}'"}`])
    expect(await say({ authorization: 'Bearer forged' }, { tokenFault: 'bad-signature' })).toEqual([401, 'true', '{"msg":"Invalid JWT"}'])
    expect(await say({ authorization: 'Bearer old' }, { tokenFault: 'expired' })).toEqual([401, 'true', '{"msg":"Invalid JWT"}'])
    expect(await say({ authorization: 'Bearer odd-role' }, { tokenFault: 'unknown-role' })).toEqual([200, null, 'Bearer odd-role'])
    expect(await say({ authorization: 'Bearer sb_publishable_test', apikey: testKeys.publishableKey })).toEqual([200, null, `Bearer ${testKeys.anonKey}`])
    expect(await say({ apikey: testKeys.secretKey })).toEqual([200, null, `Bearer ${testKeys.serviceRoleKey}`])
    expect((await say({ apikey: 'sb_publishable_guessed' }))[0]).toBe(401)
    expect((await say({ apikey: 'sb_secret_guessed' }))[0]).toBe(401)
    expect((await box.call('/open', { headers: { authorization: 'Basic own' }, tokenFault: 'malformed' })).status).toBe(200)
    expect((await box.call('/closed', { method: 'OPTIONS', bare: true })).status).toBe(200)
  })

  test('streams in both directions, and hears of it when the caller goes', async () => {
    box.write('stream/index.ts', `let gone = false
    Deno.serve((request) => {
      if (request.method === 'GET') return Response.json({ gone })
      request.signal.addEventListener('abort', () => { gone = true })
      const upper = request.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new TransformStream({ transform: (text, out) => out.enqueue(text.toUpperCase()) }))
      return new Response(upper.pipeThrough(new TextEncoderStream()), { headers: { 'content-type': 'text/event-stream' } })
    })`)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const abort = new AbortController()
    void writer.write(new TextEncoder().encode('one'))
    const answer = await box.call('/stream', { method: 'POST', body: readable, duplex: 'half', signal: abort.signal } as RequestInit)
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('ONE')
    void writer.write(new TextEncoder().encode('two'))
    expect((await reader?.read())?.value).toBe('TWO')
    abort.abort()
    await until(async () => (((await (await box.call('/stream')).json()) as { gone: boolean }).gone ? true : undefined))
  })

  test('starts anew when its files change, after the requests under way', async () => {
    box.write('_shared/words.ts', 'export const word = "before"')
    box.write('changing/index.ts', `import { word } from '../_shared/words.ts'
    Deno.serve(async (request) => {
      if (request.method === 'POST') {
        console.log('under way')
        await new Promise((resolve) => setTimeout(resolve, 700))
      }
      return new Response(word)
    })`)
    const ask = async (method = 'GET') => (await box.call('/changing', { method })).text()
    expect(await ask()).toBe('before')
    const slow = ask('POST')
    await until(async () => ((await box.logs('?function=changing')).some(({ message }) => message === 'under way') ? true : undefined))
    box.write('_shared/words.ts', 'export const word = "after"')
    // Files are looked at a few times a second, not for each call.
    await expect.poll(() => ask()).toBe('after')
    expect(await slow).toBe('before')
  })

  test('says what it says with its name and level to the box, for the secret key to read, and no secret among it', async () => {
    box.write('.env', 'STRIPE_SECRET=sk_live_0123456789\nGREETING=hello there')
    box.write('talking/index.ts', `console.log('up', { a: 1 })
    Deno.serve(() => {
      console.error(new Error('odd'))
      console.warn('keys', Deno.env.get('SUPABASE_SERVICE_ROLE_KEY'), JSON.parse(Deno.env.get('SUPABASE_SECRET_KEYS')!).default, Deno.env.get('STRIPE_SECRET'))
      console.log('two\\nlines', Deno.env.get('GREETING'))
      return new Response(JSON.stringify(Object.keys(Deno.env.toObject()).sort()))
    })`)
    const names = (await (await box.call('/talking')).json()) as string[]
    expect(names).toEqual(['GREETING', 'STRIPE_SECRET', 'SUPABASE_ANON_KEY', 'SUPABASE_JWKS', 'SUPABASE_PUBLISHABLE_KEYS', 'SUPABASE_SECRET_KEYS', 'SUPABASE_SERVICE_ROLE_KEY', 'SUPABASE_URL'])
    const entries = await until(async () => {
      const logs = (await box.logs('?function=talking')).filter(({ level }) => level !== 'debug')
      return logs.length >= 4 ? logs : undefined
    })
    expect(entries.map(({ level }) => level)).toEqual(['info', 'error', 'warn', 'info'])
    expect(entries[0]?.message).toBe('up { a: 1 }')
    expect(entries[1]?.message).toMatch(/^Error: odd\n {4}at /)
    expect(entries[2]?.message).toBe('keys [hidden] [hidden] [hidden]')
    expect(entries[3]?.message).toBe('two\nlines hello there')
    const all = box.lines.join('\n')
    for (const secret of [testKeys.serviceRoleKey, testKeys.secretKey, testKeys.jwtSecret, 'sk_live_0123456789']) expect(all).not.toContain(secret)
    expect((await box.call('/_internal/logs')).status).toBe(403)
    expect(await box.logs(`?after=${entries[3]?.seq}`)).toEqual([])
  })
})
