import type { Upgrade } from '#contract/service.ts'

/** Reads the headers of a handshake; those sent more than once are joined. */
export function readHeaders({ request }: Upgrade): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return headers
}

const crossOrigin = ['access-control-allow-origin', '*'] as const

/** Answers a handshake with a plain answer, and ends it. */
export async function refuse(socket: Upgrade['socket'], answer: Response): Promise<number> {
  const body = Buffer.from(await answer.arrayBuffer())
  const headers = [...answer.headers, crossOrigin, ['content-length', String(body.byteLength)], ['connection', 'close']]
  const lines = [`HTTP/1.1 ${answer.status} Refused`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]))
  return answer.status
}
