import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import { noContent, tooLarge } from './errors.ts'

const maxFieldBytes = 1024 * 1024

/** The file of a form, its bytes still on their way. */
export interface FormFile {
  fields: ReadonlyMap<string, string>
  mimeType: string
  stream: BusboyFileStream
}

/**
 * Reads a form up to its first file, which counts under whatever name, with the fields before it.
 *
 * @throws `InvalidRequest` (400) for a form without a file, `EntityTooLarge` (413) for a field beyond 1 MiB.
 */
export function readForm(body: Readable, headers: BusboyHeaders, mostFields = 10): Promise<FormFile> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>()
    const form = new Busboy({ headers, limits: { fields: mostFields, files: 1, fieldSize: maxFieldBytes, parts: mostFields + 2 } })
    let file: BusboyFileStream | undefined
    form.on('field', (...[name, value, , isTruncated]) => {
      if (isTruncated) reject(tooLarge('user_metadata'))
      else fields.set(name, value)
    })
    form.on('file', (...[, stream, , , mimeType]) => {
      file = stream
      // Before it is read it has nobody else to tell.
      stream.on('error', () => undefined)
      resolve({ fields, mimeType, stream })
    })
    const giveUp = (error: unknown) => {
      const reason = error instanceof Error ? error : new Error(String(error))
      file?.destroy(reason)
      reject(noContent(reason.message))
    }
    form.on('error', giveUp)
    form.on('finish', () => reject(noContent()))
    body.on('error', giveUp)
    body.pipe(form)
  })
}
