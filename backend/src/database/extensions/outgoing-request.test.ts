import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeRequest } from './outgoing-request.ts'

const listen = (answer: string): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => response.end(`${answer} ${request.url}`))
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
const portOf = (server: Server): number => (server.address() as AddressInfo).port

let own: Server
let neighbour: Server
beforeAll(async () => {
  own = await listen('own')
  neighbour = await listen('neighbour')
})
afterAll(() => void [own, neighbour].forEach((server) => server.close()))

const ask = (url: string) => makeRequest({ method: 'GET', url, headers: {}, timeoutMs: 5000 }, { ownOrigin: `http://127.0.0.1:${portOf(own)}` })

it('reaches the box by the names projects use for it', async () => {
  expect((await ask('http://kong:8000/rest/v1/tickets?select=id')).body).toBe('own /rest/v1/tickets?select=id')
  expect((await ask(`http://localhost:${portOf(own)}/health`)).body).toBe('own /health')
})

it('reaches nothing else on this machine, also not by a path of the box that reads like another host', async () => {
  await expect(ask(`http://127.0.0.1:${portOf(neighbour)}/secret`)).rejects.toThrow('private network')
  expect((await ask(`http://kong//127.0.0.1:${portOf(neighbour)}/secret`)).body).toBe(`own //127.0.0.1:${portOf(neighbour)}/secret`)
  expect((await ask(`http://kong/\\127.0.0.1:${portOf(neighbour)}/secret`)).body).toMatch(/^own /)
})
