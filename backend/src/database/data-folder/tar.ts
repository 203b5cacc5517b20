import { closeSync, createReadStream, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'

const blockBytes = 512
const nameBytes = 100

interface Entry {
  /** Relative, slash-separated; a folder's ends with a slash. */
  name: string
  /** Empty for a folder. */
  content: Uint8Array
}

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`

function header({ name, content }: Entry): Buffer {
  if (Buffer.byteLength(name) > nameBytes) throw new Error(`the name is too long for an archive: ${name}`)
  const isFolder = name.endsWith('/')
  const block = Buffer.alloc(blockBytes)
  block.write(name, 0)
  block.write(octal(isFolder ? 0o700 : 0o600, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(content.length, 12), 124)
  block.write(octal(0, 12), 136)
  block.write('        ', 148)
  block.write(isFolder ? '5' : '0', 156)
  block.write('ustar\x0000', 257)
  block.write(`${block.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

function* entriesOf(folder: string, prefix = ''): Generator<Entry> {
  for (const item of readdirSync(join(folder, prefix), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = `${prefix}${item.name}`
    if (item.isDirectory()) {
      yield { name: `${name}/`, content: new Uint8Array() }
      yield* entriesOf(folder, `${name}/`)
    } else if (statSync(join(folder, name)).isFile()) yield { name, content: readFileSync(join(folder, name)) }
  }
}

/** Packs a folder's files into one tar archive, sorted by name. */
export function packTar(folder: string, leaveOut: ReadonlySet<string>): Buffer {
  const blocks: Uint8Array[] = []
  for (const entry of entriesOf(folder)) {
    if (leaveOut.has(entry.name)) continue
    blocks.push(header(entry), entry.content, Buffer.alloc((blockBytes - (entry.content.length % blockBytes)) % blockBytes))
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])
}

const textAt = (block: Buffer, from: number, length: number): string => {
  const end = block.indexOf(0, from)
  return block.toString('utf8', from, end < 0 || end > from + length ? from + length : end)
}

const cutShort = (): Error => new Error('the archive is cut short')

/** Writes the files of an archive as its bytes arrive, so that it is never in memory as a whole. */
class TarUnpacker {
  readonly #folder: string
  readonly #header = Buffer.alloc(blockBytes)
  #headerBytes = 0
  #file: number | undefined
  /** Of the current file's content, then of the padding behind it. */
  #contentLeft = 0
  #paddingLeft = 0
  #ended = false

  constructor(folder: string) {
    this.#folder = folder
  }

  write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#ended;) {
      if (this.#contentLeft > 0) at += this.#takeContent(chunk.subarray(at, at + this.#contentLeft))
      else if (this.#paddingLeft > 0) at += this.#skipPadding(chunk.length - at)
      else at += this.#takeHeader(chunk.subarray(at, at + blockBytes - this.#headerBytes))
    }
  }

  /** @throws when the archive ended in the middle of a file, or without its end mark. */
  end(): void {
    if (!this.#ended) throw cutShort()
  }

  abandon(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #takeContent(bytes: Buffer): number {
    writeSync(this.#file as number, bytes)
    this.#contentLeft -= bytes.length
    if (this.#contentLeft === 0) this.abandon()
    return bytes.length
  }

  #skipPadding(available: number): number {
    const skipped = Math.min(available, this.#paddingLeft)
    this.#paddingLeft -= skipped
    return skipped
  }

  #takeHeader(bytes: Buffer): number {
    bytes.copy(this.#header, this.#headerBytes)
    this.#headerBytes += bytes.length
    if (this.#headerBytes === blockBytes) this.#startEntry()
    return bytes.length
  }

  #startEntry(): void {
    this.#headerBytes = 0
    const name = textAt(this.#header, 0, nameBytes)
    this.#ended = name === ''
    if (this.#ended) return
    if (name.startsWith('/') || name.split('/').includes('..')) throw new Error(`the archive holds a name that leaves its folder: ${name}`)
    const path = join(this.#folder, name)
    if (name.endsWith('/')) return void mkdirSync(path, { recursive: true, mode: 0o700 })
    const size = Number.parseInt(textAt(this.#header, 124, 12), 8)
    if (!Number.isInteger(size)) throw cutShort()
    this.#file = openSync(path, 'w', 0o600)
    this.#contentLeft = size
    this.#paddingLeft = (blockBytes - (size % blockBytes)) % blockBytes
    if (size === 0) this.abandon()
  }
}

/**
 * Unpacks a gzipped archive that `packTar` made, into a new folder.
 *
 * @throws when it is cut short, or holds a name that would leave the folder.
 */
export async function unpackTarGz(archive: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unpacker = new TarUnpacker(folder)
  const packed = createReadStream(archive)
  const plain = createGunzip({ chunkSize: 262_144 })
  packed.on('error', (error) => plain.destroy(error))
  try {
    for await (const chunk of packed.pipe(plain) as AsyncIterable<Buffer>) unpacker.write(chunk)
    unpacker.end()
  } finally {
    packed.destroy()
    unpacker.abandon()
  }
}
