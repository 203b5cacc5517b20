import type { RequestContext } from '#contract/service.ts'
import type { Actor } from '#services/storage/actor.ts'
import type { ObjectAddress } from '#services/storage/bytes/blob-key.ts'
import type { StorageParts } from '#services/storage/parts.ts'
import type { UserMetadata } from '#services/storage/wire.ts'
import type { Authenticated } from './authenticate.ts'
import type { PartFiles } from './part-files.ts'
import { writeXml, type XmlElements } from './xml.ts'

/** What the operations of this protocol are made of. */
export interface S3Parts {
  storage: StorageParts
  partFiles: PartFiles
  region: string
}

/** One request whose signature held. */
export interface S3Call {
  parts: S3Parts
  request: Request
  context: RequestContext
  query: URLSearchParams
  /** Percent-decoded; empty where the path ends before it. */
  address: ObjectAddress
  actor: Actor
  authenticated: Authenticated
}

export type Operation = (call: S3Call) => Promise<Response>

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** Answers in XML. */
export const xmlAnswer = (root: string, content: string | XmlElements, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(writeXml(root, content, namespace), { headers: { 'content-type': 'application/xml; charset=utf-8', ...headers } })

/**
 * Reads a header of the protocol. A URL signed by an official client carries such headers in its query, where the signature covers them.
 */
export function readAmzHeader({ request, query, authenticated }: S3Call, name: string): string | undefined {
  const header = request.headers.get(name)
  if (header !== null) return header
  if (authenticated.claim.via !== 'query') return undefined
  for (const [given, value] of query) if (given.toLowerCase() === name) return value
  return undefined
}

const metadataPrefix = 'x-amz-meta-'

/** What the client says of an object in words of its own; undefined when it says nothing. */
export function readUserMetadata(fields: Iterable<readonly [string, string]>): UserMetadata | undefined {
  const metadata: Record<string, string> = {}
  for (const [name, value] of fields) {
    const key = name.toLowerCase()
    if (key.startsWith(metadataPrefix) && key.length > metadataPrefix.length) metadata[key.slice(metadataPrefix.length)] = value
  }
  return Object.keys(metadata).length === 0 ? undefined : metadata
}

/** The same for a request: its headers, and its query where the URL is signed. */
export const userMetadataOf = ({ request, query, authenticated }: S3Call): UserMetadata | undefined =>
  readUserMetadata([...(authenticated.claim.via === 'query' ? query : []), ...request.headers])
