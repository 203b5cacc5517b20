import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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

function* readTar(archive: Buffer): Generator<Entry> {
  for (let at = 0; at + blockBytes <= archive.length && archive[at] !== 0;) {
    const block = archive.subarray(at, at + blockBytes)
    const size = Number.parseInt(textAt(block, 124, 12), 8)
    const content = archive.subarray(at + blockBytes, at + blockBytes + size)
    if (!Number.isInteger(size) || content.length !== size) throw new Error('the archive is cut short')
    yield { name: textAt(block, 0, nameBytes), content }
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes
  }
}

/** Unpacks an archive that `packTar` made, into a new folder. Names that would leave the folder are refused. */
export function unpackTar(archive: Buffer, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const { name, content } of readTar(archive)) {
    if (name.startsWith('/') || name.split('/').includes('..')) throw new Error(`the archive holds a name that leaves its folder: ${name}`)
    if (name.endsWith('/')) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
    else writeFileSync(join(folder, name), content, { mode: 0o600 })
  }
}
