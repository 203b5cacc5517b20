import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createOutbound } from './outbound.ts'

let server: Server
let listener: RequestListener
beforeAll(async () => {
  server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`
const quick = createOutbound('anywhere', { timeoutMs: 300, longestBodyBytes: 1000 })

describe('a request to a provider', () => {
  it('waits for a provider so long and no longer, wherever it hangs', async () => {
    listener = () => undefined
    await expect(quick(url())).rejects.toThrow('did not answer within 300 ms')
    listener = (_request, response) => void response.writeHead(200).write('{')
    await expect(quick(url())).rejects.toThrow('did not answer within 300 ms')
  })

  it('reads so much and no more', async () => {
    listener = (_request, response) => void response.end('x'.repeat(100_000))
    await expect(quick(url())).rejects.toThrow('answered with more than 1000 bytes')
  })

  it('is ended by who asked, and is bounded more narrowly where they say so', async () => {
    listener = () => undefined
    const ended = new AbortController()
    const asked = createOutbound('anywhere')(url(), { signal: ended.signal })
    ended.abort()
    await expect(asked).rejects.toThrow('could not be asked')
    await expect(createOutbound('anywhere')(url(), { timeoutMs: 100 })).rejects.toThrow('did not answer within 100 ms')
    listener = (_request, response) => void response.writeHead(503, { 'retry-after': '7', 'set-cookie': 'a=b' }).end('x'.repeat(500))
    await expect(quick(url(), { longestBodyBytes: 499 })).rejects.toThrow('answered with more than 499 bytes')
    expect(Object.fromEntries((await quick(url())).headers)).toEqual({ 'retry-after': '7' })
  })

  it('follows no redirect and asks for nothing packed', async () => {
    let packed: string | undefined = ''
    listener = (request, response) => {
      packed = request.headers['accept-encoding']
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
    }
    const { status } = await quick(url())
    expect([status, packed]).toEqual([302, 'identity'])
  })

  it('tells a provider that is not there by its name alone', async () => {
    await expect(quick('http://127.0.0.1:9/token?secret=1')).rejects.toThrow(/^127\.0\.0\.1:9 could not be asked$/)
  })

  it('goes to public addresses over TLS alone where an administrator named them', async () => {
    const outside = createOutbound('public', { timeoutMs: 300, longestBodyBytes: 1000 })
    for (const address of [
      'http://example.com/', 'https://127.0.0.1/', 'https://[::1]/', 'https://10.0.0.1/', 'https://169.254.169.254/latest', 'https://192.168.1.1/', 'https://0.0.0.0/',
      'https://2130706433/', 'https://0x7f.1/', 'https://[::ffff:127.0.0.1]/', 'https://[fd00::1]/', 'https://localhost/', 'file:///etc/passwd', 'ftp://x/',
    ]) await expect(outside(address), address).rejects.toThrow(/private network|TLS|over HTTP|could not be asked/)
  })
})
