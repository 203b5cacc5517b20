import { bucketNameInvalid, keyInvalid } from './errors.ts'

const bucketCharacters = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/
const keyCharacters = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/

// Postgres keeps longer ones, S3 does not.
const maxKeyBytes = 1024

/** @throws `InvalidBucketName` (400). */
export function checkBucketName(id: string): void {
  if (!bucketCharacters.test(id)) throw bucketNameInvalid()
}

const isStep = (segment: string): boolean => segment === '.' || segment === '..'

/**
 * Whether an object may be called so: plain characters, no step upwards. Such a step harms nothing here, where no name becomes
 * a path on disk, but it would in the folder of whoever downloads a whole bucket.
 */
export const isObjectName = (name: string): boolean =>
  name.length <= maxKeyBytes && keyCharacters.test(name) && !name.split('/').some(isStep)

/** @throws `InvalidKey` (400). @see supabase/storage src/storage/limits.ts, `mustBeValidKey` */
export function checkObjectName(name: string): void {
  if (!isObjectName(name)) throw keyInvalid(name)
}

/** What the dashboard leaves in a folder that holds nothing; such an object may have no bytes. */
export const isEmptyFolder = (name: string): boolean => name.endsWith('/.emptyFolderPlaceholder') || name === '.emptyFolderPlaceholder'
