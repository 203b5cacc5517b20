import { createWriteStream, renameSync, statSync, type WriteStream } from 'node:fs'
import { join } from 'node:path'

const limitBytes = 8 * 1024 * 1024

/** A log that keeps two files of at most 8 MB. */
export interface LogFile {
  path: string
  write(line: string): void
  close(): Promise<void>
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Opens `portico.log` in a folder, adding to what is there. A full disk loses lines, never a request. */
export function openLogFile(folder: string): LogFile {
  const path = join(folder, 'portico.log')
  let bytes = sizeOf(path)
  const open = (): WriteStream => createWriteStream(path, { flags: 'a', mode: 0o600 }).on('error', () => undefined)
  let stream = open()
  const turnOver = () => {
    stream.end()
    try {
      renameSync(path, `${path}.1`)
    } catch {
      // Removed by somebody meanwhile: a new file is what is wanted anyway.
    }
    stream = open()
    bytes = 0
  }
  return {
    path,
    write(line) {
      if (bytes > limitBytes) turnOver()
      bytes += line.length + 1
      stream.write(`${line}\n`)
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  }
}
