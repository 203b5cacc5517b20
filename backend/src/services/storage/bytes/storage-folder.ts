import { mkdir, mkdtemp, opendir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where files are kept on this machine. */
export interface StorageFolder {
  path: string
  /** Whether it ends with the box; nothing in it needs to survive then. */
  isTemporary: boolean
  close(): Promise<void>
}

/** Opens `<data folder>/storage`, or without a data folder a temporary one that is removed at the end. */
export async function openStorageFolder(dataFolder: string | undefined): Promise<StorageFolder> {
  if (dataFolder === undefined) {
    const path = await mkdtemp(join(tmpdir(), 'portico-storage-'))
    return { path, isTemporary: true, close: () => rm(path, { recursive: true, force: true }) }
  }
  const path = join(dataFolder, 'storage')
  await mkdir(path, { recursive: true, mode: 0o700 })
  return { path, isTemporary: false, close: async () => undefined }
}

/** Removes the files and folders directly in a folder that nobody has touched for so long. */
export async function removeUntouched(folder: string, olderThanMs: number): Promise<void> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    // Gone by itself meanwhile is what was wanted.
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs >= olderThanMs) await rm(path, { recursive: true, force: true })
  }
}
