import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPort, type OpenPort } from './server.ts'

let port: OpenPort
beforeAll(async () => {
  port = await openPort({ host: '127.0.0.1', ports: [0], bodyPace: { graceMs: 800, minBytesPerSecond: 1000, lookEveryMs: 800 } })
  port.serve({
    async fetch(request) {
      const length = (await request.arrayBuffer()).byteLength
      if (request.url.endsWith('/slow-answer')) await new Promise((resolve) => setTimeout(resolve, 2000))
      return new Response(String(length))
    },
  })
})
afterAll(() => port.close(0))

// Sends a piece every 50 ms, so many, and tells what came back, or how the connection ended.
const drip = (pieceBytes: number, { pieces = 30, path = '/' } = {}) =>
  new Promise<string>((resolve) => {
    const sent = request({ port: port.port, host: '127.0.0.1', method: 'POST', path }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve(text))
    })
    let count = 0
    const sending = setInterval(() => {
      if (count++ < pieces) return void sent.write(Buffer.alloc(pieceBytes))
      clearInterval(sending)
      sent.end()
    }, 50)
    sent.on('error', () => {
      clearInterval(sending)
      resolve('ended')
    })
  })

test('a body that drips is ended', async () => {
  expect(await drip(1, { pieces: 200 })).toBe('ended')
})

test('a body that moves arrives, however long it takes', async () => {
  expect(await drip(1000)).toBe('30000')
})

test('an answer may take longer than a body', async () => {
  expect(await drip(10, { pieces: 1, path: '/slow-answer' })).toBe('10')
})
