import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const limitBytes = 8 * 1024 * 1024
// Lines of a busy moment go out in one piece: one by one they cost a tenth of a request.
const gatherMs = 50

/** A log that keeps two files of at most 8 MB. */
export interface LogFile {
  path: string
  /** Adds one line, given without its newline; at once when it may be the last. */
  write(line: string, atOnce?: boolean): void
  /** Writes what is still gathered. */
  close(): void
}

const openToAdd = (path: string): number => openSync(path, 'a', 0o600)

/** Opens `portico.log` in a folder, adding to what is there. A full disk loses lines, never a request. */
export function openLogFile(folder: string): LogFile {
  const path = join(folder, 'portico.log')
  let file = openToAdd(path)
  let bytes = fstatSync(file).size
  let gathered: string[] = []
  let timer: NodeJS.Timeout | undefined

  const turnOver = () => {
    closeSync(file)
    try {
      renameSync(path, `${path}.1`)
    } catch {
      // Removed by somebody meanwhile: a new file is what is wanted anyway.
    }
    file = openToAdd(path)
    bytes = 0
  }
  const flush = () => {
    const text = gathered.join('')
    gathered = []
    clearTimeout(timer)
    timer = undefined
    try {
      writeSync(file, text)
      bytes += text.length
      if (bytes > limitBytes) turnOver()
    } catch {
      // A full disk.
    }
  }
  return {
    path,
    write(line, atOnce = false) {
      gathered.push(`${line}\n`)
      if (atOnce) flush()
      else timer ??= setTimeout(flush, gatherMs).unref()
    },
    close() {
      flush()
      closeSync(file)
    },
  }
}
