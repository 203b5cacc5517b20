import { AppError } from '#api/app-error.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import type { Entry, FileEntry } from '#features/files/names/entry.ts'
import { folderOf, placeholderName, wirePath } from '#features/files/names/object-name.ts'
import type { FileSource } from '#features/files/source.ts'
import { filesOf, type Running } from './deeds.ts'
import type { BatchFailure, BatchResult } from './batch.ts'
import { makeZip, zipLimits, type ZipSource } from './zip.ts'

/** Long enough for a slow line to begin; the download itself may last longer. */
const linkSeconds = 600

/** Gives one file to the browser, which saves it as it comes: nothing of it passes through the page. @throws AppError */
export async function downloadFile({ client }: FileSource, bucket: string, { path, name }: FileEntry): Promise<void> {
  const { signedUrl } = await unwrap(client.storage.from(bucket).createSignedUrl(wirePath(path), linkSeconds, { download: name }))
  follow(signedUrl, name)
}

function follow(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.rel = 'noreferrer'
  document.body.append(link)
  link.click()
  link.remove()
}

/** Packs files and folders into one archive and gives it to the browser. @throws AppError when it would grow beyond what the format holds. */
export async function downloadZip(source: FileSource, { bucket, entries, name }: { bucket: string; entries: readonly Entry[]; name: string }, running: Running): Promise<BatchResult> {
  const files = (await filesOf(source, { bucket, entries }, running)).filter(({ file }) => file.name !== placeholderName)
  const total = files.reduce((sum, { file }) => sum + file.sizeBytes, 0)
  if (total > zipLimits.bytes || files.length > zipLimits.files) throw new AppError('invalid', 'More than one archive holds', { code: 'portico_zip_too_large' })
  const failures: BatchFailure[] = []
  let done = 0
  const tell = () => running.onProgress({ done, total: files.length, failures })
  async function* read(): AsyncGenerator<ZipSource> {
    for (const { file, root } of files) {
      if (running.signal.aborted) return
      try {
        const body = await fetchFile(source, { bucket, path: file.path, signal: running.signal })
        yield { name: file.path.slice(folderOf(root.path) === '' ? 0 : folderOf(root.path).length + 1), modifiedAt: new Date(file.updatedAt || Date.now()), open: () => Promise.resolve(body.stream()) }
        done += 1
      } catch (cause) {
        failures.push({ path: file.path, error: toAppError(cause) })
      }
      tell()
    }
  }
  const archive = await makeZip(read())
  if (!running.signal.aborted && done > 0) {
    const url = URL.createObjectURL(archive)
    follow(url, name)
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  }
  return { done, failures, isWhole: done + failures.length === files.length }
}

const fetchFile = ({ client }: FileSource, { bucket, path, signal }: { bucket: string; path: string; signal: AbortSignal }): Promise<Blob> =>
  unwrap(client.storage.from(bucket).download(wirePath(path), undefined, { signal }))
