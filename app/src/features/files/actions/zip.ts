/** What goes into an archive. */
export interface ZipSource {
  /** Its place in the archive: `photos/a.jpg`. */
  name: string
  modifiedAt: Date
  /** Its bytes, piece by piece. */
  open: () => Promise<ReadableStream<Uint8Array>>
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** Goes on with a CRC-32; begins with 0. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before
  for (let index = 0; index < bytes.length; index += 1) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[index] ?? 0)) & 255] ?? 0)
  return ~crc >>> 0
}

/** The form without its extension for large archives counts in 32 bits, and files in 16. */
export const zipLimits = { bytes: 0xffffffff - 1, files: 0xffff - 1 }

// Unpacked, no name leads out of the folder or overwrites what lies elsewhere, whatever its server let it be called.
const harmless = (name: string): string => name.split(/[/\\]/).map((step) => (/^\.{0,2}$/.test(step) ? '_' : step)).join('/')

interface Written {
  name: Uint8Array
  crc: number
  sizeBytes: number
  offset: number
  moment: number
}

/**
 * Packs files into one archive, as they are: most of what people store is compressed already.
 * Finished pieces are handed to the browser as blobs, which it keeps on disk when they grow.
 *
 * @see APPNOTE.TXT of the ZIP format, sections 4.3 to 4.5
 */
export async function makeZip(sources: AsyncIterable<ZipSource> | Iterable<ZipSource>): Promise<Blob> {
  const parts: Blob[] = []
  const written: Written[] = []
  let offset = 0
  for await (const source of sources) {
    const { body, crc, sizeBytes } = await read(source)
    const entry: Written = { name: new TextEncoder().encode(harmless(source.name)), crc, sizeBytes, offset, moment: dosMoment(source.modifiedAt) }
    const head = header(entry, 'local')
    parts.push(new Blob([head, body]))
    written.push(entry)
    offset += head.size + sizeBytes
  }
  const directory = new Blob(written.map((entry) => header(entry, 'central')))
  return new Blob([...parts, directory, ending(written.length, directory.size, offset)], { type: 'application/zip' })
}

const flushBytes = 8 * 1024 * 1024

async function read({ open }: ZipSource): Promise<{ body: Blob; crc: number; sizeBytes: number }> {
  const blobs: Blob[] = []
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let pending = 0
  let crc = 0
  let sizeBytes = 0
  const flush = () => {
    blobs.push(new Blob(pieces))
    pieces = []
    pending = 0
  }
  const reader = (await open()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    crc = crc32(value, crc)
    sizeBytes += value.length
    pieces.push(new Uint8Array(value))
    pending += value.length
    if (pending >= flushBytes) flush()
  }
  flush()
  return { body: new Blob(blobs), crc, sizeBytes }
}

/** Two-second steps since 1980, as the format counts. */
function dosMoment(moment: Date): number {
  const year = Math.min(127, Math.max(0, moment.getFullYear() - 1980))
  const day = (year << 9) | ((moment.getMonth() + 1) << 5) | moment.getDate()
  const time = (moment.getHours() << 11) | (moment.getMinutes() << 5) | (moment.getSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}

/** Names are UTF-8 (flag 11); nothing is compressed (method 0). */
function header({ name, crc, sizeBytes, offset, moment }: Written, kind: 'local' | 'central'): Blob {
  const isLocal = kind === 'local'
  const view = new DataView(new ArrayBuffer(isLocal ? 30 : 46))
  const at = isLocal ? 4 : 6
  view.setUint32(0, isLocal ? 0x04034b50 : 0x02014b50, true)
  if (!isLocal) view.setUint16(4, 20, true)
  view.setUint16(at, 20, true)
  view.setUint16(at + 2, 0x0800, true)
  view.setUint32(at + 6, moment, true)
  view.setUint32(at + 10, crc, true)
  view.setUint32(at + 14, sizeBytes, true)
  view.setUint32(at + 18, sizeBytes, true)
  view.setUint16(at + 22, name.length, true)
  if (!isLocal) view.setUint32(42, offset, true)
  return new Blob([view.buffer, new Uint8Array(name)])
}

function ending(files: number, directoryBytes: number, directoryOffset: number): Blob {
  const view = new DataView(new ArrayBuffer(22))
  view.setUint32(0, 0x06054b50, true)
  view.setUint16(8, files, true)
  view.setUint16(10, files, true)
  view.setUint32(12, directoryBytes, true)
  view.setUint32(16, directoryOffset, true)
  return new Blob([view.buffer])
}
