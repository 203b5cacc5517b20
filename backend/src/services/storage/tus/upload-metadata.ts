import { invalidMetadata } from './errors.ts'

// Printable ASCII but the space and the comma.
const key = /^[\u0021-\u002b\u002d-\u007e]+$/
const base64 = /^[\d+/A-Za-z]*={0,2}$/

/**
 * Reads the `Upload-Metadata` header: names and, after a space, base64.
 *
 * @throws 400 when a name comes twice or a value is not base64.
 * @see https://tus.io/protocols/resumable-upload#upload-metadata
 */
export function readUploadMetadata(header: string): ReadonlyMap<string, string> {
  const metadata = new Map<string, string>()
  for (const pair of header.split(',')) {
    const [name = '', value = '', ...more] = pair.trim().split(' ')
    if (more.length > 0 || !key.test(name) || !base64.test(value) || value.length % 4 !== 0 || metadata.has(name)) throw invalidMetadata()
    metadata.set(name, Buffer.from(value, 'base64').toString('utf8'))
  }
  return metadata
}

/** Writes the header again, for whoever resumes. */
export const writeUploadMetadata = (metadata: Iterable<readonly [string, string]>): string =>
  Array.from(metadata, ([name, value]) => (value === '' ? name : `${name} ${Buffer.from(value).toString('base64')}`)).join(',')
