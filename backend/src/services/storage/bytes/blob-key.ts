import { createHash } from 'node:crypto'

/** Where an object is: `{ bucketId: 'avatars', name: 'cats/tom.png' }`; the name has no leading slash. */
export interface ObjectAddress {
  bucketId: string
  name: string
}

/** Under what one version of one object is kept: hexadecimal digits and hyphens only, whatever the client called it. */
export type BlobKey = string & { readonly kind: 'blob key' }

const shape = /^[0-9a-f]{64}-[0-9a-f-]{1,64}$/

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Makes the key of a version. It depends on bucket and name too, so that a row whose `version` somebody could write
 * never leads to another object's bytes. A bucket's id holds no slash, which keeps the pair unambiguous.
 */
export function blobKey({ bucketId, name }: ObjectAddress, version: string): BlobKey {
  const plain = /^[0-9a-f-]{1,64}$/.test(version) ? version : digest(version)
  return `${digest(`${bucketId}/${name}`)}-${plain}` as BlobKey
}

/** Reads a key back from where a store keeps it; undefined for what is none. */
export const parseBlobKey = (text: string): BlobKey | undefined => (shape.test(text) ? (text as BlobKey) : undefined)

/** The version a key was made from, as long as that was one of ours. */
export const versionOf = (key: BlobKey): string => key.slice(65)
