import { Readable } from 'node:stream'
import type { RequestContext } from '#contract/service.ts'
import { actorOf } from '#services/storage/actor.ts'
import type { ByteSource } from '#services/storage/bytes/byte-store.ts'
import { readForm, type FormFile } from '#services/storage/form.ts'
import { servedFile } from '#services/storage/served-file.ts'
import { isHeaderText } from '#services/storage/upload-body.ts'
import { checkMimeType, getUploadLimits, limitBytes } from '#services/storage/upload-limits.ts'
import { storeObject } from '#services/storage/upload.ts'
import { callerOf, findSigningKey, type AuthenticationDeps } from './authenticate.ts'
import { readUserMetadata, xmlAnswer, type S3Parts } from './call.ts'
import { invalidRequest, missingParameter, partTooSmall } from './errors.ts'
import { judgePostPolicy } from './post-policy.ts'
import { readFormClaim } from './signature-claim.ts'
import { signPolicy } from './signature.ts'

// A policy, its signature and what goes with them are ten; the rest is the client's.
const mostFields = 40

/** Where a form is posted to, and how its signature is judged. */
export interface PostTarget {
  parts: S3Parts
  deps: AuthenticationDeps
  bucketId: string
}

async function* ofAtLeast(source: ByteSource, leastBytes: number): ByteSource {
  let seen = 0
  for await (const piece of source) {
    seen += piece.length
    yield piece
  }
  if (seen < leastBytes) throw partTooSmall()
}

const lowered = (fields: ReadonlyMap<string, string>): Map<string, string> => {
  const named = new Map<string, string>()
  for (const [name, value] of fields) {
    const key = name.toLowerCase()
    // Of two that differ in case only, one would be judged and the other used.
    if (named.has(key)) throw invalidRequest('Duplicate form field in POST policy request')
    named.set(key, value)
  }
  return named
}


const keyOf = (fields: ReadonlyMap<string, string>): string => {
  const key = fields.get('key')
  if (!key) throw missingParameter('key')
  return key
}

async function store({ fields, form, target, context }: { fields: ReadonlyMap<string, string>; form: FormFile; target: PostTarget; context: RequestContext }): Promise<Response> {
  const { parts, deps, bucketId } = target
  const claim = readFormClaim(fields)
  const policy = fields.get('policy') ?? ''
  findSigningKey(claim, deps, (key) => [signPolicy(key, policy)])
  const { leastBytes, mostBytes } = judgePostPolicy(policy, new Map([...fields, ['bucket', bucketId]]), deps.clock.now())
  const actor = actorOf(await callerOf(claim, context), 'storage.s3.upload')
  const address = { bucketId, name: keyOf(fields) }
  const limits = await getUploadLimits(parts.storage, actor, address)
  const facts = { mimeType: fields.get('content-type') || 'application/octet-stream', cacheControl: fields.get('cache-control') ?? 'no-cache' }
  if (!Object.values(facts).every(isHeaderText)) throw invalidRequest('Invalid header')
  checkMimeType(facts.mimeType, limits)
  const bytes = limitBytes(form.stream as AsyncIterable<Uint8Array>, Math.min(limits.maxBytes, mostBytes))
  const row = await storeObject(parts.storage, actor, { address, isUpsert: true, facts, userMetadata: readUserMetadata(fields), source: ofAtLeast(bytes, leastBytes) })
  const headers = { etag: servedFile(row).eTag ?? '' }
  if (fields.get('success_action_status') !== '201') return new Response(null, { status: fields.get('success_action_status') === '204' ? 204 : 200, headers })
  const made = xmlAnswer('PostResponse', { Location: `${context.origin}${context.url.pathname}/${address.name}`, Bucket: bucketId, Key: address.name, ETag: headers.etag }, headers)
  return new Response(made.body, { status: 201, headers: made.headers })
}

/**
 * `PostObject`: a form a page may send by itself, held to the policy it was signed with.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html
 */
export async function postObject(request: Request, context: RequestContext, target: PostTarget): Promise<Response> {
  if (request.body === null) throw missingParameter('file')
  // The two libraries' stream types are of different makes.
  const incoming = Readable.fromWeb(request.body as never)
  try {
    const form = await readForm(incoming, { 'content-type': request.headers.get('content-type') ?? '' }, mostFields)
    return await store({ fields: lowered(form.fields), form, target, context })
  } finally {
    incoming.destroy()
  }
}
