import { createHash, randomUUID } from 'node:crypto'
import { isServiceRole } from '#contract/caller.ts'
import { asActor, asService, type Actor } from '#services/storage/actor.ts'
import { blobKey, type ObjectAddress } from '#services/storage/bytes/blob-key.ts'
import type { ByteSource } from '#services/storage/bytes/byte-store.ts'
import { tooLarge } from '#services/storage/errors.ts'
import { checkMimeType, getUploadLimits } from '#services/storage/upload-limits.ts'
import { checkUpload, finishUpload, type FileFacts } from '#services/storage/upload.ts'
import type { ObjectRow, UserMetadata } from '#services/storage/wire.ts'
import type { S3Parts } from './call.ts'
import { accessDenied, invalidPart, invalidPartOrder, noSuchUpload, partTooSmall } from './errors.ts'
import {
  deleteOldUploads, deleteUpload, findUploadRow, insertUpload, listKnownUploads, listPartRows, replacePart, sizeOfOtherParts, type PartRow, type UploadRow,
} from './multipart.queries.ts'
import type { PartFile } from './part-files.ts'

/** Parts but the last may not be smaller, as Amazon has it. */
const leastPartBytes = 5 * 1024 * 1024
export const mostParts = 10_000
/** What nobody ended is forgotten after so many days. */
const lifetimeDays = 7

const unquoted = (tag: string): string => tag.trim().replaceAll('"', '').toLowerCase()

const checkRight = ({ storage }: S3Parts, actor: Actor, { address, userMetadata, mimeType }: { address: ObjectAddress; userMetadata?: UserMetadata | undefined; mimeType?: string | undefined }): Promise<void> =>
  checkUpload(storage, actor, { address, isUpsert: true, userMetadata, mimeType })

/** Begins an upload in parts and gives its id. */
export async function beginMultipart(parts: S3Parts, actor: Actor, { address, facts, userMetadata }: { address: ObjectAddress; facts: FileFacts; userMetadata: UserMetadata | undefined }): Promise<string> {
  const { storage, partFiles } = parts
  checkMimeType(facts.mimeType, await getUploadLimits(storage, actor, address))
  await checkRight(parts, actor, { address, userMetadata, mimeType: facts.mimeType })
  const id = randomUUID()
  await partFiles.begin(id)
  const metadata = { mimetype: facts.mimeType, cacheControl: facts.cacheControl }
  await asActor(storage, asService(actor), (tx) => insertUpload(tx, { id, address, ownerId: actor.ownerId, userMetadata, metadata }))
  return id
}

/** An upload that goes on. */
export interface UploadRef {
  uploadId: string
  address: ObjectAddress
}

/**
 * Finds an upload for whoever began it, and asks the policies anew.
 *
 * @throws `NoSuchUpload` (404), `AccessDenied` (403).
 */
export async function findMultipart(parts: S3Parts, actor: Actor, { uploadId, address }: UploadRef): Promise<UploadRow> {
  const row = await asActor(parts.storage, asService(actor), (tx) => findUploadRow(tx, uploadId, address))
  if (!row) throw noSuchUpload()
  await checkRight(parts, actor, { address, userMetadata: row.user_metadata ?? undefined, mimeType: row.metadata?.mimetype })
  if (!isServiceRole(actor.caller) && row.owner_id !== (actor.ownerId ?? null)) throw accessDenied('new row violates row-level security policy')
  return row
}

// Bytes that are on their way, by upload: several parts come at once, and together they must not pass the limit.
const onTheirWay = new Map<string, number>()
const reserve = (uploadId: string, bytes: number): void => void onTheirWay.set(uploadId, (onTheirWay.get(uploadId) ?? 0) + bytes)
function giveBack(uploadId: string, bytes: number): void {
  const left = (onTheirWay.get(uploadId) ?? 0) - bytes
  if (left > 0) onTheirWay.set(uploadId, left)
  else onTheirWay.delete(uploadId)
}

export interface NewPart extends UploadRef {
  partNumber: number
  source: ByteSource
  sizeBytes: number
}

/**
 * Takes a part of an upload; one sent before under the same number is replaced.
 *
 * @returns its entity tag, quoted.
 * @throws `EntityTooLarge` (413) when all parts together are.
 */
export async function takePart(parts: S3Parts, actor: Actor, { uploadId, address, partNumber, source, sizeBytes }: NewPart): Promise<string> {
  const { storage, partFiles } = parts
  await findMultipart(parts, actor, { uploadId, address })
  const { maxBytes } = await getUploadLimits(storage, actor, address)
  reserve(uploadId, sizeBytes)
  try {
    const others = await asActor(storage, asService(actor), (tx) => sizeOfOtherParts(tx, uploadId, partNumber))
    if (others.size + (onTheirWay.get(uploadId) ?? 0) > maxBytes) throw tooLarge()
    const part = await partFiles.write(uploadId, partNumber, source)
    const etag = `"${part.md5}"`
    const replaced = await asActor(storage, asService(actor), (tx) => replacePart(tx, { uploadId, address, ownerId: actor.ownerId, partNumber, etag, sizeBytes: part.sizeBytes }))
    if (!replaced) {
      await partFiles.removePart(uploadId, part)
      throw noSuchUpload()
    }
    const old = replaced.map((row) => unquoted(row.etag)).filter((md5) => md5 !== part.md5)
    for (const md5 of old) await partFiles.removePart(uploadId, { partNumber, md5 })
    return etag
  } finally {
    giveBack(uploadId, sizeBytes)
  }
}

/** A part as the client names it at the end. */
export interface NamedPart {
  partNumber: number
  /** Undefined when it is to be taken as it is. */
  etag: string | undefined
}

function choose(named: readonly NamedPart[], rows: readonly PartRow[]): PartRow[] {
  const byNumber = new Map(rows.map((row) => [row.part_number, row]))
  if (named.some(({ partNumber }, index) => index > 0 && partNumber <= (named[index - 1]?.partNumber ?? 0))) throw invalidPartOrder()
  const chosen = named.map(({ partNumber, etag }) => {
    const row = byNumber.get(partNumber)
    if (!row || (etag !== undefined && unquoted(etag) !== unquoted(row.etag))) throw invalidPart(partNumber)
    return row
  })
  if (chosen.slice(0, -1).some(({ size }) => size < leastPartBytes)) throw partTooSmall()
  return chosen
}

// The tag of an object in parts: the hash of the parts' hashes, and how many they were.
function joinedTag(parts: readonly PartFile[]): string {
  const hash = createHash('md5')
  for (const { md5 } of parts) hash.update(Buffer.from(md5, 'hex'))
  return `"${hash.digest('hex')}-${parts.length}"`
}

async function forget({ storage, partFiles }: S3Parts, actor: Actor, uploadId: string): Promise<void> {
  await asActor(storage, asService(actor), (tx) => deleteUpload(tx, uploadId))
  await partFiles.remove(uploadId)
}

/**
 * Joins parts to an object.
 *
 * @param named which parts, in order; none at all is all of them.
 * @throws `InvalidPart`, `InvalidPartOrder`, `EntityTooSmall` (400), `EntityTooLarge` (413).
 */
export async function completeMultipart(parts: S3Parts, actor: Actor, { named, ...ref }: UploadRef & { named: readonly NamedPart[] }): Promise<ObjectRow> {
  const { storage, partFiles } = parts
  const { uploadId, address } = ref
  const upload = await findMultipart(parts, actor, ref)
  const rows = await asActor(storage, asService(actor), (tx) => listPartRows(tx, uploadId, { after: 0, limit: mostParts }))
  const chosen = choose(named.length > 0 ? named : rows.map((row) => ({ partNumber: row.part_number, etag: undefined })), rows)
  if (chosen.length === 0) throw invalidPart(1)
  const sizeBytes = chosen.reduce((sum, { size }) => sum + size, 0)
  if (sizeBytes > (await getUploadLimits(storage, actor, address)).maxBytes) throw tooLarge()
  const files = chosen.map((row): PartFile => ({ partNumber: row.part_number, md5: unquoted(row.etag) }))
  const facts = { mimeType: upload.metadata?.mimetype ?? 'application/octet-stream', cacheControl: upload.metadata?.cacheControl ?? 'no-cache' }
  const version = randomUUID()
  const stored = await storage.bytes.put(blobKey(address, version), partFiles.read(uploadId, files), { contentType: facts.mimeType, sizeBytes, eTag: joinedTag(files) })
  const row = await finishUpload(storage, actor, { address, isUpsert: true, version, stored, facts, userMetadata: upload.user_metadata ?? undefined })
  await forget(parts, actor, uploadId)
  return row
}

/** Ends an upload and forgets its parts. */
export async function abortMultipart(parts: S3Parts, actor: Actor, ref: UploadRef): Promise<void> {
  await findMultipart(parts, actor, ref)
  await forget(parts, actor, ref.uploadId)
}

const hourMs = 60 * 60_000

/** Forgets uploads nobody ended within a week, and parts whose upload is gone. */
export async function forgetOldMultiparts({ storage, partFiles }: S3Parts): Promise<void> {
  const old = await storage.database.asAdmin('supabase_storage_admin', (tx) => deleteOldUploads(tx, lifetimeDays))
  for (const { id } of old) await partFiles.remove(id)
  const lying = (await partFiles.list()).filter(({ changedAtMs }) => changedAtMs < Date.now() - hourMs).map(({ uploadId }) => uploadId)
  if (lying.length === 0) return
  const known = new Set((await storage.database.asAdmin('supabase_storage_admin', (tx) => listKnownUploads(tx, lying))).map(({ id }) => id))
  for (const id of lying) if (!known.has(id)) await partFiles.remove(id)
}
