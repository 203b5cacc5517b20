import { createHmac } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { sweep } from './discarded-bytes.ts'
import { openTestStorage, service, type TestStorage } from './open-test-storage.ts'

// What somebody who means harm would send.

let database: Database
let storage: TestStorage
beforeAll(async () => {
  database = await openTestDatabase()
  storage = await openTestStorage(database)
  await storage.as(service).createBucket('files', { public: false })
  await storage.as(service).createBucket('open', { public: true })
  await put('a.txt', 'a')
})
afterAll(async () => {
  await storage?.close()
  await database?.close()
})

const put = (path: string, body: string, headers: Record<string, string> = {}) =>
  storage.send(`/object/files/${path}`, { method: 'POST', body, headers: { 'content-type': 'text/plain', 'x-upsert': 'true', ...headers } })
const bodyOf = async (response: Response): Promise<Record<string, unknown>> => ({ http: response.status, ...((await response.json()) as Record<string, unknown>) })
const serve = async (path: string, query = '') => {
  const response = await storage.send(`/object/files/${path}${query}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('a path', () => {
  test('never leaves its bucket, however it is spelt', async () => {
    const paths = ['..%2f..%2fetc%2fpasswd', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '%252e%252e%252fetc', '..%5c..%5cwindows', 'a%00.txt', '..', '%2e%2e', 'x%2f..%2f..%2fopen%2fa.txt', '.%2fa.txt', 'a%0d%0ab', '%ff', '%c0%ae%c0%ae%2f', '']
    for (const path of paths) {
      for (const [method, body] of [['POST', 'x'], ['GET', undefined], ['PUT', 'x']] as const) {
        const response = await storage.send(`/object/files/${path}`, { method, ...(body === undefined ? {} : { body }) })
        const text = await response.text()
        expect([path, method, response.status >= 400, /root:|Internal/.test(text)]).toEqual([path, method, true, false])
      }
    }
    for (const key of ['../x', 'a/../../x', 'a\\b', 'a\u0000', '.', './x', 'x/..']) {
      const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
      for (const action of ['move', 'copy']) expect([key, (await bodyOf(await storage.send(`/object/${action}`, { ...json, body: JSON.stringify({ bucketId: 'files', sourceKey: 'a.txt', destinationKey: key }) }))).code]).toEqual([key, 'InvalidKey'])
    }
    const everything = readdirSync(storage.folder, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(storage.folder, path)).isFile())
    expect(everything.every((path) => /^objects\/[0-9a-f]{2}\/[0-9a-f]{64}-[0-9a-f-]{36}$/.test(path))).toBe(true)
  })

  test('is no pattern, and no statement', async () => {
    for (const name of ["a' or '1'='1", "a'; drop table storage.objects; --", 'a$1', '$(id)']) {
      expect((await put(encodeURIComponent(name), 'x')).status).toBeLessThan(500)
      expect((await storage.as(service).from('files').list('', { search: name })).error).toBeNull()
    }
    await put('100percent.txt', 'x')
    for (const search of ['%', '_____________', '\\', "'"]) expect([search, (await storage.as(service).from('files').list('', { search })).data]).toEqual([search, search === "'" ? expect.any(Array) : []])
    expect((await storage.as(service).from('files').listV2({ prefix: '%' })).data?.objects).toEqual([])
  })
})

describe('a header', () => {
  test('cannot be written through a name to save a file as', async () => {
    for (const name of ['a%0d%0aset-cookie:%20x=1', 'a%22;x', '%00', '%e2%80%ae.exe', 'a%250d%250a']) {
      const { headers } = await serve('a.txt', `?download=${name}`)
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename=[\w.!~*'()%-]+; filename\*=UTF-8''[\w.!~*'()%-]+$/)
    }
  })

  test('cannot be written through a form, a copy or a row', async () => {
    const form = new FormData()
    form.append('cacheControl', '1\r\nset-cookie: x=1')
    form.append('', new Blob(['x'], { type: 'text/plain' }), 'x')
    expect((await storage.send('/object/files/form.txt', { method: 'POST', body: form })).status).toBe(400)
    const typed = new FormData()
    typed.append('contentType', 'text/html\r\nset-cookie: x=1')
    typed.append('', new Blob(['x'], { type: 'text/plain' }), 'x')
    expect((await storage.send('/object/files/form.txt', { method: 'POST', body: typed })).status).toBe(400)
    const copy = { bucketId: 'files', sourceKey: 'a.txt', destinationKey: 'copied.txt', copyMetadata: false, metadata: { cacheControl: 'x\r\nset-cookie: x=1', mimetype: 'text/html\r\n\r\n<script>' } }
    await storage.send('/object/copy', { method: 'POST', body: JSON.stringify(copy), headers: { 'content-type': 'application/json' } })
    await database.asAdmin('postgres', (tx) => tx.execute({ text: `update storage.objects set metadata = metadata || '{"eTag":"\\"x\\"\\r\\ny: z","xRobotsTag":"a\\nb"}' where name = 'a.txt'`, values: [] }))
    for (const path of ['copied.txt', 'a.txt']) {
      const { status, headers } = await serve(path)
      expect([path, status, headers.get('set-cookie'), headers.get('y')]).toEqual([path, 200, null, null])
    }
    expect((await serve('copied.txt')).headers.get('content-type')).toBe('application/octet-stream')
  })

  test('for search engines is one they know', async () => {
    expect((await put('robots.txt', 'x', { 'x-robots-tag': 'noindex, googlebot: none, unavailable_after: Wed, 21 Oct 2026 07:28:00 GMT' })).status).toBe(200)
    expect((await serve('robots.txt')).headers.get('x-robots-tag')).toContain('googlebot: none')
    for (const tag of ['make me famous', 'noindex,,none', 'max-snippet: lots']) expect((await bodyOf(await put('robots.txt', 'x', { 'x-robots-tag': tag }))).error).toBe('invalid_x_robots_tag')
    const nested = await put('robots.txt', 'x', { 'x-robots-tag': `${'a:'.repeat(20_000)}none` })
    expect([nested.status, (await bodyOf(nested)).error]).toEqual([400, 'invalid_x_robots_tag'])
  })
})

describe('a file', () => {
  test('that is a page runs nothing on the origin it comes from', async () => {
    const script = '<script>fetch("/auth/v1/user")</script>'
    for (const type of ['text/html', 'TEXT/HTML', 'text/html; charset=utf-8', ' text/html', 'Text/Html;x', 'x,text/html']) {
      await put('page', script, { 'content-type': type })
      const { headers } = await serve('page')
      expect([type, headers.get('content-type')]).toEqual([type, 'text/plain'])
    }
    for (const type of ['image/svg+xml', 'IMAGE/SVG+XML', 'application/xhtml+xml', 'text/xml', 'application/xml', 'multipart/related', 'text/javascript', 'nonsense', 'application/octet-stream', 'image', 'application/pdfx', 'application/mathml+xml']) {
      await put('page', script, { 'content-type': type })
      const { headers } = await serve('page')
      expect([type, headers.get('content-security-policy'), headers.get('x-content-type-options')]).toEqual([type, "default-src 'none'; style-src 'unsafe-inline'; sandbox", 'nosniff'])
    }
    // Of several types browsers take the last one, and what ends in +xml is a document to some.
    for (const type of ['image/png, image/svg+xml', 'image/png;x,application/xhtml+xml', 'application/pdf,text/xml', 'image/x+xml', 'video/x+xml', 'audio/']) {
      await put('page', script, { 'content-type': type })
      expect([type, (await serve('page')).headers.get('content-security-policy')]).toEqual([type, expect.stringContaining('sandbox')])
    }
    for (const type of ['image/png', 'video/mp4', 'audio/mpeg', 'application/pdf', 'image/vnd.microsoft.icon', 'audio/ogg; codecs=opus']) {
      await put('page', script, { 'content-type': type })
      const { headers } = await serve('page')
      expect([type, headers.get('content-type'), headers.get('content-security-policy'), headers.get('x-content-type-options')]).toEqual([type, type, null, 'nosniff'])
    }
  })

  test('is no script of the app it shares an origin with', async () => {
    await put('worker.js', 'x', { 'content-type': 'text/javascript' })
    const ask = async (headers: Record<string, string>) => {
      const response = await storage.send('/object/files/worker.js', { headers })
      await response.body?.cancel()
      return response.status
    }
    expect(await ask({ 'service-worker': 'script' })).toBe(400)
    for (const dest of ['script', 'worker', 'sharedworker', 'style']) expect([dest, await ask({ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': dest })]).toEqual([dest, 400])
    for (const [site, dest] of [['same-origin', 'empty'], ['same-origin', 'image'], ['cross-site', 'script'], ['none', 'document']]) expect([site, dest, await ask({ 'sec-fetch-site': site ?? '', 'sec-fetch-dest': dest ?? '' })]).toEqual([site, dest, 200])
  })

  test('says no more about itself than fits', async () => {
    const metadata = (value: unknown) => ({ 'x-metadata': Buffer.from(JSON.stringify(value)).toString('base64') })
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
    expect((await put('m.txt', 'x', { 'x-metadata': Buffer.from(deep).toString('base64') })).status).toBe(400)
    expect((await put('m.txt', 'x', metadata({ a: 'b\u0000c' }))).status).toBe(400)
    expect((await put('m.txt', 'x', metadata(['list']))).status).toBe(200)
    expect((await put('m.txt', 'x', { 'x-metadata': 'no base64 at all' })).status).toBe(200)
    const form = new FormData()
    form.append('metadata', JSON.stringify({ a: 'x'.repeat(1024 * 1024) }))
    form.append('', new Blob(['x'], { type: 'text/plain' }), 'x')
    expect(await bodyOf(await storage.send('/object/files/m2.txt', { method: 'POST', body: form }))).toMatchObject({ http: 400, statusCode: '413', code: 'EntityTooLarge' })
  })
})

describe('a token', () => {
  const sign = (claims: object, secret = storage.parts.keys.jwtSecret) => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
  }
  const inAnHour = Math.floor(Date.now() / 1000) + 3600
  const open = async (claims: object, path = 'a.txt') => bodyOf(await storage.send(`/object/sign/files/${path}?token=${sign(claims)}`, { as: undefined }))

  test('of a person, or of nothing, opens no file', async () => {
    expect((await open({ role: 'service_role', sub: 'x', exp: inAnHour })).code).toBe('InvalidSignature')
    expect((await open({ url: 'files/a.txt', exp: inAnHour, scope: 'everything' })).code).toBe('InvalidSignature')
    expect((await open({ url: 'files/a.txt', exp: inAnHour, upsert: false })).code).toBe('InvalidSignature')
    expect((await open({ url: 'files/a.txt' })).code).toBe('InvalidJWT')
    expect((await open({ url: 'files/a.txt', exp: '9999999999' })).code).toBe('InvalidJWT')
    expect((await open({ url: 'files/', exp: inAnHour }, '')).http).toBe(400)
    const legacy = await storage.send(`/object/sign/files/a.txt?token=${sign({ url: 'files/a.txt', exp: inAnHour })}`, { as: undefined })
    expect([legacy.status, await legacy.text()]).toEqual([200, 'a'])
  })

  test('to upload an object uploads no other, and not again', async () => {
    const { data } = await storage.as(service).from('files').createSignedUploadUrl('signed.txt')
    const send = (path: string) => storage.send(`/object/upload/sign/files/${path}?token=${data?.token}`, { method: 'PUT', body: 'x', headers: { 'x-upsert': 'true' }, as: undefined })
    expect((await bodyOf(await send('other.txt'))).code).toBe('InvalidSignature')
    expect((await bodyOf(await send('x%2f..%2fsigned.txt'))).http).toBeGreaterThanOrEqual(400)
    expect((await send('signed.txt')).status).toBe(200)
    expect((await bodyOf(await send('signed.txt'))).statusCode).toBe('409')
  })
})

test('whatever was refused left no bytes behind', async () => {
  expect(readdirSync(join(storage.folder, 'incoming'))).toEqual([])
  expect(await sweep(storage.parts, 0)).toBe(0)
})
