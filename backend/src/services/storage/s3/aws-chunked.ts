import { createHash } from 'node:crypto'
import { bodyOverDeclaredLength, invalidRequest, malformedTrailer, signatureMismatch } from './errors.ts'
import { isSameSignature, type ChunkSigner } from './signature.ts'

/** How a body in chunks is to be read. */
export interface ChunkRules {
  /** Left out: the chunks carry no signatures. */
  signer?: ChunkSigner
  /** Whether headers follow the last chunk. */
  hasTrailer: boolean
  /** Bytes of the body once the chunks are taken apart, as the request declared them. */
  decodedBytes: number
  /** Told the trailing headers, lower-case names, once they are read and their signature held. */
  onTrailer?(trailer: ReadonlyMap<string, string>): void
}

// A size of 16 digits and a signature are 98 characters. Trailing headers are a few checksums.
const longestLine = 256
const mostTrailerLines = 16

const lineFeed = 10

/** Takes lines and byte runs from a stream without ever holding more than one piece of it and one line. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Uint8Array = new Uint8Array()

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next()
    if (next.done === true) return false
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value])
    return true
  }

  /** A line without its CRLF. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf(lineFeed)
      if (end > longestLine || (end < 0 && this.#held.length > longestLine)) throw invalidRequest('Invalid chunk header')
      if (end >= 0) {
        const line = Buffer.from(this.#held.subarray(0, end)).toString('latin1')
        this.#held = this.#held.subarray(end + 1)
        if (!line.endsWith('\r')) throw invalidRequest('Invalid chunk header')
        return line.slice(0, -1)
      }
      if (!(await this.#more())) throw invalidRequest('Incomplete chunk header')
    }
  }

  /** What is at hand, at most so many bytes. */
  async some(most: number): Promise<Uint8Array> {
    while (this.#held.length === 0) if (!(await this.#more())) throw invalidRequest('Unexpected end of chunk data')
    const piece = this.#held.subarray(0, most)
    this.#held = this.#held.subarray(piece.length)
    return piece
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#held.length === 0) if (!(await this.#more())) return true
    return false
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}

interface ChunkHeader {
  bytes: number
  signature: string
}

function readChunkHeader(line: string, isSigned: boolean): ChunkHeader {
  const found = /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line)
  if (!found?.[1]) throw invalidRequest('Invalid chunk header')
  if (isSigned && found[2] === undefined) throw invalidRequest('Missing chunk signature')
  return { bytes: Number.parseInt(found[1], 16), signature: found[2] ?? '' }
}

async function* readChunk(reader: ByteReader, header: ChunkHeader, { signer }: ChunkRules): AsyncGenerator<Uint8Array> {
  const hash = signer ? createHash('sha256') : undefined
  for (let left = header.bytes; left > 0; ) {
    const piece = await reader.some(left)
    left -= piece.length
    hash?.update(piece)
    yield piece
  }
  // What was handed on is not kept until the whole body has held.
  if (signer && hash && !isSameSignature(signer.signChunk(hash.digest('hex')), header.signature)) throw signatureMismatch()
}

async function readTrailer(reader: ByteReader, { signer }: ChunkRules): Promise<Map<string, string>> {
  const trailer = new Map<string, string>()
  for (;;) {
    const line = await reader.line()
    if (line === '') break
    const at = line.indexOf(':')
    const name = line.slice(0, at).trim().toLowerCase()
    if (at < 1 || trailer.has(name) || trailer.size >= mostTrailerLines) throw malformedTrailer('The trailing headers are not well formed')
    trailer.set(name, line.slice(at + 1).trim())
    // The signature is the last line; nothing after it is covered, and some clients end the body right there.
    if (name === 'x-amz-trailer-signature') {
      if (!(await reader.isAtEnd()) && (await reader.line()) !== '') throw malformedTrailer('Nothing may follow the signature of the trailing headers')
      break
    }
  }
  const signature = trailer.get('x-amz-trailer-signature') ?? ''
  trailer.delete('x-amz-trailer-signature')
  if (trailer.size === 0) throw malformedTrailer('The request promised trailing headers and sent none')
  if (signer) {
    const text = [...trailer].map(([name, value]) => `${name}:${value}\n`).join('')
    if (!isSameSignature(signer.signTrailer(createHash('sha256').update(text).digest('hex')), signature)) throw signatureMismatch()
  }
  return trailer
}

/**
 * Takes a body apart that was sent as `aws-chunked`: gives its bytes as they come and checks each chunk's signature after it. A reader
 * that keeps anything must undo it when this throws, at whatever point.
 *
 * @throws `SignatureDoesNotMatch`, `InvalidRequest`, `MalformedTrailerError`.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
 */
export async function* decodeAwsChunked(source: AsyncIterable<Uint8Array>, rules: ChunkRules): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(source)
  let seenBytes = 0
  try {
    for (;;) {
      const header = readChunkHeader(await reader.line(), rules.signer !== undefined)
      seenBytes += header.bytes
      if (seenBytes > rules.decodedBytes) throw bodyOverDeclaredLength()
      yield* readChunk(reader, header, rules)
      if (header.bytes === 0) break
      if ((await reader.line()) !== '') throw invalidRequest('Missing CRLF after chunk data')
    }
    if (seenBytes !== rules.decodedBytes) throw invalidRequest('The body is shorter than the length it was declared with')
    if (rules.hasTrailer) {
      const trailer = await readTrailer(reader, rules)
      rules.onTrailer?.(trailer)
    } else if ((await reader.line()) !== '') throw invalidRequest('Missing CRLF after chunk data')
    if (!(await reader.isAtEnd())) throw invalidRequest('Unexpected data after final chunk')
  } finally {
    await reader.close()
  }
}
