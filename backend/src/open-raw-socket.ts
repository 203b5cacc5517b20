import { WebSocket } from 'ws'

/** One text message of the newer serializer: join_ref, ref, topic, event, payload. */
export type Frame = [joinRef: string | null, ref: string | null, topic: string, event: string, payload: Record<string, unknown>]

/** A socket for tests of the wire itself. */
export interface RawSocket {
  socket: WebSocket
  /** Text messages so far. */
  frames: Frame[]
  binaries: Buffer[]
  send(...frame: readonly unknown[]): void
  /** The first message from now on that the test likes. */
  next(isIt: (frame: Frame) => boolean): Promise<Frame>
  /** The reply to a message that is sent with this ref. */
  ask(...frame: [joinRef: string | null, ref: string, topic: string, event: string, payload?: unknown]): Promise<Record<string, unknown>>
  /** The code the socket is closed with. */
  closed: Promise<number>
  close(): void
}

export async function openRawSocket(url: string, query: string, headers: Record<string, string> = {}): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/realtime/v1/websocket?${query}`, { headers })
  const frames: Frame[] = []
  const binaries: Buffer[] = []
  const waiting = new Set<(frame: Frame) => void>()
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return void binaries.push(data)
    const frame = JSON.parse(data.toString()) as Frame
    frames.push(frame)
    for (const hear of waiting) hear(frame)
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const next: RawSocket['next'] = (isIt) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Not heard; heard ${JSON.stringify(frames.slice(-5))}`)), 10_000)
      const hear = (frame: Frame) => {
        if (!isIt(frame)) return
        clearTimeout(timer)
        waiting.delete(hear)
        resolve(frame)
      }
      waiting.add(hear)
    })
  const send = (...frame: readonly unknown[]) => socket.send(JSON.stringify(frame))
  return {
    socket,
    frames,
    binaries,
    send,
    next,
    async ask(...[joinRef, ref, topic, event, payload = {}]) {
      const reply = next((frame) => frame[3] === 'phx_reply' && frame[1] === ref && frame[2] === topic)
      send(joinRef, ref, topic, event, payload)
      return (await reply)[4]
    },
    closed,
    close: () => socket.close(),
  }
}

/** A binary message of kind 3: a broadcast of a client. */
export function pushFrame(parts: { joinRef?: string; ref?: string; topic: string; event: string; meta?: string; isJson?: boolean; payload: Buffer }): Buffer {
  const { joinRef = '1', ref = '2', topic, event, meta = '', isJson = true, payload } = parts
  const words = [joinRef, ref, topic, event, meta].map((part) => Buffer.from(part))
  return Buffer.concat([Buffer.from([3, ...words.map((word) => word.length), isJson ? 1 : 0]), ...words, payload])
}
