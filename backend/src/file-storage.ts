import { join, resolve } from 'node:path'
import type { ByteStore } from '#services/storage/bytes/byte-store.ts'
import { openDiskStore } from '#services/storage/bytes/disk-store.ts'
import { databaseId } from '#services/storage/discarded-bytes.ts'
import { createRemoteClient, RemoteBucketError } from '#services/storage/s3/s3-client.ts'
import { openStorageFolder, type StorageFolder } from '#services/storage/bytes/storage-folder.ts'
import type { StorageParts } from '#services/storage/parts.ts'
import { seedFiles } from '#services/storage/seeded-files.ts'
import { createStorageService, type StorageService } from '#services/storage/service.ts'
import type { Config } from './config.ts'
import type { GivenKeys } from './keys/keys.ts'
import type { ProjectFolder } from './project-folder.ts'
import { storageSettings } from './service-settings.ts'

export interface FileStorageOptions extends Omit<StorageParts, 'bytes' | 'settings'> {
  config: Config
  /** Left out: files are kept in a temporary folder, gone at the end. */
  dataFolder: string | undefined
  project: ProjectFolder | undefined
  /** Open the bucket elsewhere, where the configuration names one. */
  storeKeys: GivenKeys['fileStore']
}

/** The storage API with the place its files are kept in. */
export interface FileStorage {
  service: StorageService
  /** A sentence each about the project's own files. */
  warnings: readonly string[]
  close(): Promise<void>
}

// Without a name of the operator's own the project's is taken; another box may have the same one, so nothing is cleaned away there.
async function openStore(folder: StorageFolder, { config, storeKeys, clock, database }: Pick<FileStorageOptions, 'config' | 'storeKeys' | 'clock' | 'database'>): Promise<ByteStore> {
  const { fileStore, projectId } = config
  if (fileStore.kind === 'disk' || storeKeys === undefined) return openDiskStore({ folder: folder.path, durable: !folder.isTemporary })
  // Most boxes never need it.
  const { openS3Store } = await import('#services/storage/s3/s3-store.ts')
  const { tenantId = projectId || 'portico', ...target } = fileStore
  const prefix = `${tenantId.replace(/[^\w-]/g, '-')}/`
  const store = await openS3Store({
    client: createRemoteClient({ ...target, ...storeKeys }, { clock }),
    prefix,
    ownsPrefix: fileStore.tenantId !== undefined,
    scratchFolder: join(folder.path, 'scratch'),
  })
  // Its owner would take this box's files for forgotten ones.
  if (fileStore.tenantId !== undefined && !(await store.claim(await databaseId({ database })))) {
    throw new RemoteBucketError({
      status: 409,
      code: 'Conflict',
      message: `TENANT_ID=${tenantId} belongs to another database in the bucket "${fileStore.bucket}". Choose another one; if that database is gone for good, delete the object "${prefix}owner" there.`,
    })
  }
  return store
}

/** Opens the place of the files, the storage API over it, and brings in the files the project names. */
export async function openFileStorage({ config, dataFolder, project, storeKeys, ...deps }: FileStorageOptions): Promise<FileStorage> {
  const folder = await openStorageFolder(dataFolder)
  try {
    const bytes = await openStore(folder, { config, storeKeys, ...deps })
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
