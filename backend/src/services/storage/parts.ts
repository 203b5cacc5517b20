import type { Clock } from '#contract/clock.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import type { Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import type { ByteStore } from './bytes/byte-store.ts'
import type { S3Access } from './s3/settings.ts'
import type { StorageSettings } from './settings.ts'

/** What the storage service is made of, and what its rules are handed. */
export interface StorageParts {
  database: Database
  logger: Logger
  clock: Clock
  keys: ProjectKeys
  settings: StorageSettings
  bytes: ByteStore
  /** Left out: the S3 protocol is not served. */
  s3?: S3Access
}
