import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Makes the box's folder in a project, kept out of git by a file of its own. */
export async function openDataFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  try {
    await writeFile(join(path, '.gitignore'), '*\n', { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Forgets a project's data: rows, files, mails. Keys stay, so that what knows them goes on working. */
export async function emptyDataFolder(path: string): Promise<void> {
  for (const name of ['data', 'mail', 'storage']) await rm(join(path, name), { recursive: true, force: true })
}
