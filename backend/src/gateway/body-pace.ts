import type { IncomingMessage, Server } from 'node:http'

/** How slowly a body may come. */
export interface BodyPace {
  /** So long any pace will do. */
  graceMs: number
  /** Afterwards it must bring so much, on average between two looks. */
  minBytesPerSecond: number
  lookEveryMs: number
}

export const defaultBodyPace: BodyPace = { graceMs: 15 * 60_000, minBytesPerSecond: 1024, lookEveryMs: 30_000 }

interface Arriving {
  since: number
  /** What the socket had brought at the last look. */
  seenBytes: number
}

/**
 * Ends connections whose body drips: an upload may take hours as long as it moves, and nobody holds a socket by a byte a minute.
 * Gives the function that stops the watch.
 */
export function watchBodyPace(server: Server, { graceMs, minBytesPerSecond, lookEveryMs }: BodyPace = defaultBodyPace): () => void {
  const arriving = new Map<IncomingMessage, Arriving>()
  server.on('request', (incoming) => {
    arriving.set(incoming, { since: Date.now(), seenBytes: incoming.socket.bytesRead })
    incoming.once('close', () => arriving.delete(incoming))
  })
  const look = setInterval(() => {
    for (const [incoming, arrival] of arriving) {
      const { bytesRead } = incoming.socket
      const moved = bytesRead - arrival.seenBytes
      arrival.seenBytes = bytesRead
      // A body that is there whole is the service's to take its time over.
      if (incoming.complete) arriving.delete(incoming)
      else if (Date.now() - arrival.since > graceMs && moved < (minBytesPerSecond * lookEveryMs) / 1000) incoming.socket.destroy()
    }
  }, lookEveryMs).unref()
  return () => clearInterval(look)
}
