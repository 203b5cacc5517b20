import { asService, onceAsActor, type Actor } from './actor.ts'
import { anybody, getActor } from './authenticate.ts'
import { findBucketRow } from './buckets.queries.ts'
import { keptFor } from './download-routes.ts'
import { bucketNotFound, imageRefused } from './errors.ts'
import { maxImageBytes, renderImage } from './images/render.ts'
import { decodeTransformation, describeTransformation, transformation, type Transformation } from './images/transformation.ts'
import { verifyLink } from './links.ts'
import { withToken } from './link-routes.ts'
import { addressIn } from './object-routes.ts'
import { getObject, openBytes } from './objects.ts'
import type { StorageParts } from './parts.ts'
import type { Call, Route } from './router.ts'
import { fileHeaders, fileReply, isUnchanged, servedFile, type ReplyFacts } from './served-file.ts'
import { readQuery } from './shape.ts'
import type { ObjectRow } from './wire.ts'

async function loadImage(parts: StorageParts, row: ObjectRow): Promise<Uint8Array> {
  const { sizeBytes, body } = await openBytes(parts, row)
  if (sizeBytes <= maxImageBytes) return new Uint8Array(await new Response(body).arrayBuffer())
  await body.cancel()
  throw imageRefused('The source image file is too large to process')
}

// Drawings keep their lines at every size: they are served as they are.
const isDrawing = (mimeType: string): boolean => /^image\/svg/i.test(mimeType)

interface Rendering {
  call: Call
  asked: Transformation
  reply: ReplyFacts
}

async function rendered(parts: StorageParts, actor: Actor, { call, asked, reply }: Rendering): Promise<Response> {
  const row = await getObject(parts, actor, addressIn(call))
  const file = servedFile(row)
  const facts = { ...reply, transformations: describeTransformation(asked) }
  if (isUnchanged(call.request.headers, file)) return new Response(null, { status: 304, headers: fileHeaders(file, facts) })
  if (isDrawing(file.mimeType)) {
    const { sizeBytes, body } = await openBytes(parts, row)
    const headers = fileHeaders(file, facts)
    headers.delete('accept-ranges')
    return fileReply(body, headers, { range: undefined, sizeBytes })
  }
  const image = await renderImage(() => loadImage(parts, row), asked, call.request.headers.get('accept') ?? '')
  const headers = fileHeaders({ ...file, mimeType: image.mimeType }, facts)
  headers.set('content-length', String(image.bytes.byteLength))
  headers.delete('accept-ranges')
  // Whoever takes WebP gets another image than others.
  headers.set('vary', 'accept')
  return new Response(image.bytes as Uint8Array<ArrayBuffer>, { status: 200, headers })
}

const downloadOf = ({ context }: Call): ReplyFacts => ({ download: context.url.searchParams.getAll('download').at(-1) ?? null })
const askedBy = ({ context }: Call): Transformation => readQuery(context.url.searchParams, transformation)

async function answerPublic(parts: StorageParts, call: Call): Promise<Response> {
  const actor = asService(anybody(call, 'storage.render.image_public'))
  const bucket = await onceAsActor(parts, actor, (tx) => findBucketRow(tx, addressIn(call).bucketId))
  if (!bucket?.public) throw bucketNotFound()
  return rendered(parts, actor, { call, asked: askedBy(call), reply: downloadOf(call) })
}

async function answerSigned(parts: StorageParts, call: Call): Promise<Response> {
  const { token } = readQuery(call.context.url.searchParams, withToken)
  const { exp, transformations = '' } = verifyLink(parts, token, { scope: 'download', address: addressIn(call) })
  const actor = asService(anybody(call, 'storage.render.image_sign'))
  return rendered(parts, actor, { call, asked: decodeTransformation(transformations), reply: { ...downloadOf(call), expiresAt: new Date(exp * 1000) } })
}

async function answerAuthenticated(parts: StorageParts, call: Call): Promise<Response> {
  const actor = getActor(call, 'storage.render.image_authenticated')
  return keptFor('authenticated', await rendered(parts, actor, { call, asked: askedBy(call), reply: downloadOf(call) }))
}

/** Images changed on the way out; none of these paths is there when the project switches them off. */
export const renderRoutes = (parts: StorageParts): Route[] =>
  parts.settings.imageTransformation
    ? [
        { method: 'GET', alsoHead: true, pattern: '/render/image/public/:bucket/*', answer: (call) => answerPublic(parts, call) },
        { method: 'GET', alsoHead: true, pattern: '/render/image/authenticated/:bucket/*', answer: (call) => answerAuthenticated(parts, call) },
        { method: 'GET', alsoHead: true, pattern: '/render/image/sign/:bucket/*', answer: (call) => answerSigned(parts, call) },
      ]
    : []
