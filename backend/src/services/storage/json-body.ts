import { bodyTooLarge, bodyTypeInvalid, requestInvalid } from './errors.ts'
import type { Reader } from './shape.ts'

// A thousand names of a kilobyte each.
const maxBytes = 2 * 1024 * 1024

async function readBytes(request: Request): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let seen = 0
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLarge()
  for await (const piece of request.body ?? []) {
    seen += piece.byteLength
    if (seen > maxBytes) throw bodyTooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw requestInvalid(`Body is not valid JSON but content-type is set to 'application/json': ${(error as Error).message}`, 'FastifyError')
  }
}

/**
 * Reads a JSON body.
 *
 * @throws `InvalidRequest` (400) for what does not fit, `EntityTooLarge` (413), `InvalidMimeType` (415) for another kind of body.
 */
export async function readJson<T>(request: Request, read: Reader<T>): Promise<T> {
  const type = request.headers.get('content-type') ?? ''
  const bytes = await readBytes(request)
  if (type === '' && bytes.length === 0) return read(undefined, 'body')
  if (/^text\/plain\b/i.test(type)) return read(bytes.toString('utf8'), 'body')
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) throw bodyTypeInvalid()
  if (bytes.length === 0) throw requestInvalid("Body cannot be empty when content-type is set to 'application/json'", 'FastifyError')
  return read(parse(bytes.toString('utf8')), 'body')
}
