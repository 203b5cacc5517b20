import { invalidUploadId } from './errors.ts'

/** Which upload a URL means. */
export interface UploadId {
  bucketId: string
  objectName: string
  /** A UUID; the version the object will have. */
  version: string
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The last part of an upload's URL. */
export const writeUploadId = ({ bucketId, objectName, version }: UploadId): string =>
  Buffer.from(`${bucketId}/${objectName}/${version}`).toString('base64url')

/**
 * Reads the last part of an upload's URL. What it names may not be there.
 *
 * @throws `InvalidUploadId` (400).
 */
export function readUploadId(text: string): UploadId {
  const [bucketId, ...rest] = Buffer.from(text, 'base64url').toString('utf8').split('/')
  const version = rest.pop()
  if (!bucketId || rest.length === 0 || version === undefined || version === '') throw invalidUploadId()
  return { bucketId, objectName: rest.join('/'), version }
}

/** Whether an id may be one of ours. Only such a version ever becomes part of a path on disk. */
export const isVersion = (version: string): boolean => uuid.test(version)
