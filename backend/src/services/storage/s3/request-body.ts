import type { Authenticated } from './authenticate.ts'
import { decodeAwsChunked } from './aws-chunked.ts'
import { readGivenSums, withCheckedSums } from './checksums.ts'
import { bodyOverDeclaredLength, entityTooLarge, invalidRequest, missingContentLength } from './errors.ts'
import { createChunkSigner } from './signature.ts'

/** A request's body, freed from its wrapping. Reading it may throw at any point, the very end included. */
export interface OpenBody {
  bytes: AsyncIterable<Uint8Array>
  /** Bytes the request says it has; undefined when it does not say. */
  declaredBytes: number | undefined
}

// The three words Amazon has for a body in chunks.
const streamings: Readonly<Record<string, { isSigned: boolean; hasTrailer: boolean }>> = {
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { isSigned: true, hasTrailer: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { isSigned: true, hasTrailer: true },
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { isSigned: false, hasTrailer: true },
}

function readLength(headers: Headers, name: string): number | undefined {
  const value = headers.get(name)
  if (value === null) return undefined
  if (!/^\d{1,15}$/.test(value)) throw invalidRequest(`${name} must be a number`)
  return Number(value)
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A request without a body is an object of no bytes.
}

async function* heldTo(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let seen = 0
  for await (const piece of source) {
    seen += piece.length
    if (seen > bytes) throw bodyOverDeclaredLength()
    yield piece
  }
  if (seen < bytes) throw invalidRequest('The body is shorter than the length it was declared with')
}

const trailerNames = (headers: Headers): string[] =>
  (headers.get('x-amz-trailer') ?? '').split(',').map((name) => name.trim().toLowerCase()).filter((name) => name !== '')

/**
 * Opens the body of a request whose signature held: taken out of its chunks, held to its declared length, compared with every sum that
 * was sent along.
 *
 * @throws `MissingContentLength` (411) for a body in chunks that does not say how long it will be.
 */
export function openBody(request: Request, { payloadHash, claim, signingKey }: Authenticated): OpenBody {
  const { headers } = request
  const source: AsyncIterable<Uint8Array> = request.body ?? nothing()
  const given = readGivenSums(headers)
  const streaming = streamings[payloadHash]
  if (!streaming) {
    const isHash = /^[0-9a-f]{64}$/.test(payloadHash)
    if (!isHash && payloadHash !== 'UNSIGNED-PAYLOAD') throw invalidRequest('x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-… or a hash')
    const declaredBytes = readLength(headers, 'content-length') ?? (request.body === null ? 0 : undefined)
    const held = declaredBytes === undefined ? source : heldTo(source, declaredBytes)
    const sums = { given, trailing: [], readTrailer: () => new Map<string, string>(), ...(isHash ? { payloadHash } : {}) }
    return { bytes: withCheckedSums(held, sums), declaredBytes }
  }
  const declaredBytes = readLength(headers, 'x-amz-decoded-content-length')
  if (declaredBytes === undefined) throw missingContentLength()
  let trailer: ReadonlyMap<string, string> = new Map()
  const bytes = decodeAwsChunked(source, {
    decodedBytes: declaredBytes,
    hasTrailer: streaming.hasTrailer,
    onTrailer: (read) => { trailer = read },
    ...(streaming.isSigned ? { signer: createChunkSigner(signingKey, claim) } : {}),
  })
  return { bytes: withCheckedSums(bytes, { given, trailing: streaming.hasTrailer ? trailerNames(headers) : [], readTrailer: () => trailer }), declaredBytes }
}

/**
 * Reads a small body whole, as text.
 *
 * @throws `EntityTooLarge` (413).
 */
export async function readText({ bytes }: OpenBody, mostBytes: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let seen = 0
  for await (const piece of bytes) {
    seen += piece.length
    if (seen > mostBytes) throw entityTooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
