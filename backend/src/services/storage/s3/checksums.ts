import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { invalidChecksum } from './errors.ts'

/** Takes bytes and gives their sum in base64, as the `x-amz-checksum-…` headers spell it. */
interface RunningSum {
  update(bytes: Uint8Array): void
  digest(): string
}

function ofHash(algorithm: string): RunningSum {
  const hash = createHash(algorithm)
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('base64') }
}

function bigEndian(...words: number[]): string {
  const bytes = Buffer.alloc(4 * words.length)
  words.forEach((word, index) => bytes.writeUInt32BE(word >>> 0, 4 * index))
  return bytes.toString('base64')
}

function ofCrc32(): RunningSum {
  let sum = 0
  return { update: (bytes) => { sum = crc32(bytes, sum) }, digest: () => bigEndian(sum) }
}

// Castagnoli's polynomial, reflected.
const crc32cTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value >>> 0
})

function ofCrc32c(): RunningSum {
  let sum = 0xffffffff
  return {
    update: (bytes) => {
      for (let index = 0; index < bytes.length; index += 1) sum = (sum >>> 8) ^ (crc32cTable[(sum ^ (bytes[index] ?? 0)) & 0xff] ?? 0)
    },
    digest: () => bigEndian(~sum),
  }
}

// The polynomial of NVM Express, reflected, in two halves: numbers hold 53 bits, and BigInt is a hundred times slower.
const crc64Polynomial = { high: 0x9a6c9329, low: 0xac4bc9b5 }
const crc64High = new Uint32Array(256)
const crc64Low = new Uint32Array(256)
for (let index = 0; index < 256; index += 1) {
  let [high, low] = [0, index]
  for (let bit = 0; bit < 8; bit += 1) {
    const isOdd = low & 1
    low = (low >>> 1) | ((high & 1) << 31)
    high >>>= 1
    if (isOdd) {
      low ^= crc64Polynomial.low
      high ^= crc64Polynomial.high
    }
  }
  crc64High[index] = high
  crc64Low[index] = low
}

function ofCrc64Nvme(): RunningSum {
  let [high, low] = [0xffffffff, 0xffffffff]
  return {
    update: (bytes) => {
      for (let index = 0; index < bytes.length; index += 1) {
        const place = (low ^ (bytes[index] ?? 0)) & 0xff
        low = ((low >>> 8) | (high << 24)) ^ (crc64Low[place] ?? 0)
        high = (high >>> 8) ^ (crc64High[place] ?? 0)
      }
    },
    digest: () => bigEndian(~high, ~low),
  }
}

const sums: Readonly<Record<string, () => RunningSum>> = {
  'x-amz-checksum-crc32': ofCrc32,
  'x-amz-checksum-crc32c': ofCrc32c,
  'x-amz-checksum-crc64nvme': ofCrc64Nvme,
  'x-amz-checksum-sha1': () => ofHash('sha1'),
  'x-amz-checksum-sha256': () => ofHash('sha256'),
  'content-md5': () => ofHash('md5'),
}

/** What a body must add up to. */
export interface ExpectedSums {
  /** SHA-256 in hexadecimal, as `x-amz-content-sha256` gave it. */
  payloadHash?: string
  /** By header name; an algorithm that is not known here is not checked. */
  given: ReadonlyMap<string, string>
  /** Names of the sums that come after the body. */
  trailing: readonly string[]
  /** The trailing headers, read once the body has ended. */
  readTrailer(): ReadonlyMap<string, string>
}

/** Reads what a request promises of its body's sums. */
export function readGivenSums(headers: Headers): Map<string, string> {
  const given = new Map<string, string>()
  for (const name of Object.keys(sums)) {
    const value = headers.get(name)
    if (value !== null) given.set(name, value)
  }
  return given
}

/**
 * Hands a body on and compares its sums at the end.
 *
 * @throws `InvalidChecksum` (400) after the last byte: nothing of the body may be kept then.
 */
export async function* withCheckedSums(source: AsyncIterable<Uint8Array>, expected: ExpectedSums): AsyncGenerator<Uint8Array> {
  const running = new Map<string, RunningSum>()
  for (const name of [...expected.given.keys(), ...expected.trailing]) {
    const start = sums[name]
    if (start) running.set(name, start())
  }
  const payload = expected.payloadHash === undefined ? undefined : createHash('sha256')
  for await (const piece of source) {
    for (const sum of running.values()) sum.update(piece)
    payload?.update(piece)
    yield piece
  }
  if (payload && payload.digest('hex') !== expected.payloadHash) {
    throw invalidChecksum('The provided \'x-amz-content-sha256\' header does not match what was computed.')
  }
  const trailer = expected.readTrailer()
  for (const [name, sum] of running) {
    const claimed = expected.given.get(name) ?? trailer.get(name)
    if (claimed !== sum.digest()) throw invalidChecksum(`The ${name} you specified did not match what we received.`)
  }
}
