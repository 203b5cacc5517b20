import { join, resolve } from 'node:path'
import { openDiskStore } from '#services/storage/bytes/disk-store.ts'
import { openStorageFolder } from '#services/storage/bytes/storage-folder.ts'
import type { StorageParts } from '#services/storage/parts.ts'
import { seedFiles } from '#services/storage/seeded-files.ts'
import { createStorageService, type StorageService } from '#services/storage/service.ts'
import type { Config } from './config.ts'
import type { ProjectFolder } from './project-folder.ts'
import { storageSettings } from './service-settings.ts'

export interface FileStorageOptions extends Omit<StorageParts, 'bytes' | 'settings'> {
  config: Config
  /** Left out: files are kept in a temporary folder, gone at the end. */
  dataFolder: string | undefined
  project: ProjectFolder | undefined
}

/** The storage API with the place its files are kept in. */
export interface FileStorage {
  service: StorageService
  /** A sentence each about the project's own files. */
  warnings: readonly string[]
  close(): Promise<void>
}

/** Opens the place of the files, the storage API over it, and brings in the files the project names. */
export async function openFileStorage({ config, dataFolder, project, ...deps }: FileStorageOptions): Promise<FileStorage> {
  const folder = await openStorageFolder(dataFolder)
  try {
    const bytes = await openDiskStore({ folder: folder.path, durable: !folder.isTemporary })
    const parts: StorageParts = { ...deps, bytes, settings: storageSettings(config) }
    const service = createStorageService(parts)
    await service.start()
    const seeded = Object.entries(config.storage.buckets).flatMap(([id, { objectsPath }]) =>
      objectsPath === null || project === undefined ? [] : [{ id, folder: resolve(project.supabase, objectsPath) }])
    const warnings = config.db.seed.enabled ? await seedFiles(parts, seeded, join(folder.path, 'seeded.json')) : []
    const close = async () => {
      await service.close()
      await folder.close()
    }
    return { service, warnings, close }
  } catch (error) {
    await folder.close()
    throw error
  }
}
