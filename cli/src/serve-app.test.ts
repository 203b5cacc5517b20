import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAppServer, type AppServer } from './serve-app.ts'

let outside = ''
let serve: AppServer
const script = 'export const a = 1\n'.repeat(100)

beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), 'portico-app-'))
  const folder = join(outside, 'dist')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  mkdirSync(join(folder, '.vite'))
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  writeFileSync(join(folder, '.vite', 'manifest.json'), '{}')
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Portico</title>')
  writeFileSync(join(folder, 'assets', 'main-abc.js'), script)
  writeFileSync(join(folder, 'assets', 'main-abc.js.br'), brotliCompressSync(script))
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'))
  mkdirSync(join(outside, 'brand'))
  writeFileSync(join(outside, 'brand', 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  symlinkSync(join(outside, 'secret.txt'), join(outside, 'brand', 'link.txt'))
  serve = createAppServer({ folder, brandFolder: join(outside, 'brand'), config: () => ({ projects: [{ name: 'Helpdesk', url: '/', key: 'sb_publishable_x' }], functions: [{ name: 'office-hours' }] }) })
})
afterAll(() => rmSync(outside, { recursive: true }))

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const url = new URL(`http://127.0.0.1:54321${path}`)
  return serve(new Request(url, { headers, method }), url)
}

describe('the app\'s files', () => {
  test('come compressed where the browser takes it, and stay in its cache for good when their name has a hash', async () => {
    const plain = await get('/assets/main-abc.js')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toBe(script)
    const packed = await get('/assets/main-abc.js', { 'accept-encoding': 'gzip, deflate, br' })
    expect(packed.headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(script)
    expect(packed.headers.get('cache-control')).toContain('immutable')
    expect((await get('/assets/main-abc.js', { 'accept-encoding': 'br;q=0' })).headers.get('content-encoding')).toBeNull()
  })

  test('are not sent again when the browser has them', async () => {
    const etag = (await get('/')).headers.get('etag') ?? ''
    const again = await get('/', { 'if-none-match': `W/${etag}` })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  test('are the one page for every screen\'s address, and no page for a missing file', async () => {
    for (const path of ['/', '/sign-in', '/data/public/tickets/a.b', '/callback?code=1']) {
      const page = await get(path)
      expect([path, page.status, await page.text()]).toEqual([path, 200, '<!doctype html><title>Portico</title>'])
      expect(page.headers.get('cache-control')).toBe('no-cache')
    }
    expect((await get('/assets/gone.js')).status).toBe(404)
    expect((await get('/favicon.ico')).status).toBe(404)
  })

  test('never come from outside their folder, from hidden ones or through links', async () => {
    const paths = ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets/..%2f..%2fsecret.txt', '/assets/%2e%2e%2f%2e%2e%2fsecret.txt', '/link.txt', '/..\\secret.txt', '//secret.txt', '/.vite/manifest.json', '/assets/main-abc.js.br', '/%00', '/%zz.txt']
    for (const path of paths) {
      const answer = await get(path)
      const text = await answer.text()
      expect([path, text.includes('secret') && !text.includes('Portico')]).toEqual([path, false])
      expect([path, answer.status === 404 || text.includes('<title>Portico')]).toEqual([path, true])
    }
  })

  test('stand beside an operator\'s own images, which run nothing', async () => {
    const logo = await get('/brand/logo.svg')
    expect([logo.status, logo.headers.get('content-type'), logo.headers.get('content-security-policy')]).toEqual([200, 'image/svg+xml', expect.stringContaining("script-src 'self'")])
    for (const path of ['/brand/link.txt', '/brand/../secret.txt', '/brand/%2e%2e/secret.txt', '/brand/', '/brand/none.png']) {
      const answer = await get(path)
      expect([path, (await answer.text()).includes('secret')]).toEqual([path, false])
    }
    expect((await get('/brand/none.png')).status).toBe(404)
  })

  test('are read, not written', async () => {
    expect((await get('/', {}, 'POST')).status).toBe(405)
    const head = await get('/', {}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

describe('every answer', () => {
  test('forbids inline script, foreign script, framing and sniffing', async () => {
    for (const path of ['/', '/portico.json', '/assets/gone.js']) {
      const { headers } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("style-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      // What is framed is made by the page itself; no other origin ever is.
      expect(policy).toMatch(/frame-src blob:(;|$)/)
      expect(policy).not.toMatch(/unsafe|\*;| \* /)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    }
  })

  test('lets the page reach the configured project under the name the browser used, also by WebSocket', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/connect-src [^;]*http:\/\/127\.0\.0\.1:54321 ws:\/\/127\.0\.0\.1:54321/)
  })
})

test('portico.json names the project and its functions, and is never kept', async () => {
  const answer = await get('/portico.json')
  expect(await answer.json()).toEqual({ projects: [{ name: 'Helpdesk', url: '/', key: 'sb_publishable_x' }], functions: [{ name: 'office-hours' }] })
  expect(answer.headers.get('cache-control')).toBe('no-store')
})
