import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from './byte-store.ts'

const chunkBytes = 256 * 1024

/** Reads a part of an open file piece by piece, as fast as it is taken; closes the file at the end, at a failure and when given up. */
export function streamFile(file: FileHandle, { first, last }: ByteRange): ReadableStream<Uint8Array> {
  let at = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const wanted = Math.min(chunkBytes, last - at + 1)
        try {
          const { bytesRead, buffer } = wanted > 0 ? await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at) : { bytesRead: 0, buffer: Buffer.alloc(0) }
          at += bytesRead
          if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead))
          if (at > last || bytesRead === 0) {
            await file.close()
            // A file shorter than its row says would end a promised length early, without a word.
            if (at <= last) controller.error(new Error('The stored file is shorter than it should be'))
            else controller.close()
          }
        } catch (error) {
          await file.close().catch(() => undefined)
          throw error
        }
      },
      async cancel() {
        await file.close().catch(() => undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
