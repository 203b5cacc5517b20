import { request as openRequest, type IncomingMessage } from 'node:http'
import type { Upgrade } from '#contract/service.ts'
import { headersFor, type Asking } from './forward.ts'
import { refuse } from './refuse-socket.ts'
import type { Door, FunctionWorker } from './worker.ts'

export interface SocketForwarding extends Asking {
  upgrade: Upgrade
  worker: FunctionWorker
  door: Door
  /** Called once, when the connection is over. */
  onClose(): void
}

// What a function that does not want a WebSocket says is passed on as far as this.
const longestRefusal = 64 * 1024

async function passOn(answer: IncomingMessage, socket: Upgrade['socket']): Promise<number> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length > longestRefusal) break
    chunks.push(chunk)
  }
  const status = Math.max(200, answer.statusCode ?? 500)
  const type = answer.headers['content-type']
  const isBare = status === 204 || status === 205 || status === 304
  return refuse(socket, new Response(isBare ? null : Buffer.concat(chunks), { status, headers: type === undefined ? {} : { 'content-type': type } }))
}

function headOf({ statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 101 ${statusMessage ?? 'Switching Protocols'}`]
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Hands a connection that becomes a WebSocket to a worker: from the handshake on, what one side says goes to the other as it is. */
export function forwardSocket({ upgrade, request, context, authorization, worker, door, onClose }: SocketForwarding): Promise<number> {
  const { host, port, secret } = door
  const { socket, head } = upgrade
  return new Promise((resolve, reject) => {
    let isOver = false
    const end = () => {
      if (!isOver) onClose()
      isOver = true
    }
    const asked = openRequest({
      host,
      port,
      agent: false,
      method: 'GET',
      path: '/',
      headers: { ...headersFor({ request, context, authorization }), connection: 'Upgrade', upgrade: 'websocket', 'x-portico-worker': secret },
    })
    const leave = () => asked.destroy()
    socket.once('close', leave)
    // It may have gone while the worker started.
    if (socket.destroyed) leave()
    asked.once('upgrade', (answer, inner, innerHead) => {
      socket.write(headOf(answer))
      if (innerHead.byteLength > 0) socket.write(innerHead)
      if (head.byteLength > 0) inner.write(head)
      socket.pipe(inner).pipe(socket)
      for (const [one, other] of [[socket, inner], [inner, socket]] as const) {
        one.on('error', () => other.destroy())
        one.once('close', () => other.destroy())
      }
      inner.once('close', end)
      resolve(101)
    })
    asked.once('response', (answer) => {
      asked.once('close', end)
      passOn(answer, socket).then(resolve, reject)
    })
    asked.once('error', () => {
      end()
      void worker.settle().then(() => reject(worker.failure()))
    })
    asked.end()
  })
}
