import { createHmac } from 'node:crypto'

/** The pair of keys the S3 protocol is signed with. It has all rights. */
export interface S3Keys {
  accessKeyId: string
  secretAccessKey: string
}

/**
 * Makes the pair that belongs to a secret key: the same at each start, another for each data folder. From neither of the two can the
 * secret key be told. A pair that was given wins.
 */
export function resolveS3Keys(secretKey: string, given?: S3Keys): S3Keys {
  if (given) return given
  const derive = (label: string) => createHmac('sha256', secretKey).update(label).digest('hex')
  return { accessKeyId: derive('portico s3 access key id').slice(0, 32), secretAccessKey: derive('portico s3 secret access key') }
}
