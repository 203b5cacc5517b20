import type { ObjectAddress } from '#services/storage/bytes/blob-key.ts'
import type { ObjectRow } from '#services/storage/wire.ts'
import { servedFile } from '#services/storage/served-file.ts'
import { readAmzHeader, type S3Call } from './call.ts'
import { judgeConditions } from './conditions.ts'
import { invalidParameter, notImplemented, preconditionFailed } from './errors.ts'

/**
 * Reads where a copy comes from: `/bucket/key`, percent-encoded.
 *
 * @throws `InvalidParameter` (400).
 */
export function readCopySource(call: S3Call): ObjectAddress {
  const [path = '', query = ''] = (readAmzHeader(call, 'x-amz-copy-source') ?? '').split('?')
  if (query !== '' && query !== 'versionId=null') throw notImplemented()
  let text: string
  try {
    text = decodeURIComponent(path.replace(/^\//, ''))
  } catch {
    throw invalidParameter('CopySource')
  }
  const at = text.indexOf('/')
  if (at < 1 || at === text.length - 1) throw invalidParameter('CopySource')
  return { bucketId: text.slice(0, at), name: text.slice(at + 1) }
}

/** @throws `PreconditionFailed` (412), also for a source that is as the client knows it. */
export function checkCopyConditions(call: S3Call, source: ObjectRow): void {
  const read = (name: string) => readAmzHeader(call, `x-amz-copy-source-${name}`)
  const conditions = { ifMatch: read('if-match'), ifNoneMatch: read('if-none-match'), ifModifiedSince: read('if-modified-since'), ifUnmodifiedSince: read('if-unmodified-since') }
  if (judgeConditions(conditions, servedFile(source)) !== 'holds') throw preconditionFailed()
}
