import { asService, onceAsActor } from './actor.ts'
import { anybody, getActor } from './authenticate.ts'
import { fileOf } from './download-routes.ts'
import { encodeTransformation, transformation } from './images/transformation.ts'
import { readJson } from './json-body.ts'
import { signLink, verifyLink } from './links.ts'
import { checkBucketName } from './names.ts'
import { addressIn, upload } from './object-routes.ts'
import { getObject } from './objects.ts'
import { listObjectNames } from './objects.queries.ts'
import type { StorageParts } from './parts.ts'
import { json } from './reply.ts'
import type { Call, Route } from './router.ts'
import { integer, object, readQuery, text, textList } from './shape.ts'
import { checkUpload } from './upload.ts'
import { readMetadataHeader } from './user-metadata.ts'

// Beyond it the moment a link ends is no number any more.
const lifetime = integer({ min: 1, max: 9_007_199_254 })
const one = object({ expiresIn: lifetime, transform: transformation }, ['expiresIn'])
const many = object({ expiresIn: lifetime, paths: textList({ min: 1, max: 1000 }) }, ['expiresIn', 'paths'])
/** The query of a link. */
export const withToken = object({ token: text, download: text }, ['token'])

const notFound = 'Either the object does not exist or you do not have access to it'

async function answerSign(parts: StorageParts, call: Call): Promise<Response> {
  const actor = getActor(call, 'storage.object.sign')
  const address = addressIn(call)
  const { expiresIn: lifetimeSeconds, transform = {} } = await readJson(call.request, one)
  const transformations = parts.settings.imageTransformation ? encodeTransformation(transform) : ''
  await getObject(parts, actor, address)
  const image = transformations === '' ? {} : { transformations, ...(transform.format ? { format: transform.format } : {}) }
  const token = signLink(parts, address, { scope: 'download', lifetimeSeconds, ...image })
  const path = transformations === '' ? '/object/sign' : '/render/image/sign'
  return json({ signedURL: `${path}/${address.bucketId}/${address.name}?token=${token}` })
}

async function answerSignMany(parts: StorageParts, call: Call): Promise<Response> {
  const actor = getActor(call, 'storage.object.sign_many')
  const { bucket: bucketId = '' } = call.params
  checkBucketName(bucketId)
  const { expiresIn: lifetimeSeconds, paths } = await readJson(call.request, many)
  const found = new Set((await onceAsActor(parts, actor, (tx) => listObjectNames(tx, bucketId, paths))).map(({ name }) => name))
  const links = paths.map((name) => {
    if (!found.has(name)) return { error: notFound, path: name, signedURL: null }
    const token = signLink(parts, { bucketId, name }, { scope: 'download', lifetimeSeconds })
    return { error: null, path: name, signedURL: `/object/sign/${bucketId}/${name}?token=${token}` }
  })
  return json(links)
}

async function answerSignUpload(parts: StorageParts, call: Call): Promise<Response> {
  const { headers } = call.request
  const actor = getActor(call, 'storage.object.sign_upload_url')
  const address = addressIn(call)
  const isUpsert = headers.get('x-upsert') === 'true'
  const length = headers.get('content-length')
  await checkUpload(parts, actor, {
    address,
    isUpsert,
    userMetadata: readMetadataHeader(headers),
    mimeType: headers.get('content-type') ?? undefined,
    sizeBytes: length === null ? undefined : Number(length),
  })
  const owner = actor.ownerId === undefined ? {} : { owner: actor.ownerId }
  const token = signLink(parts, address, { scope: 'upload', lifetimeSeconds: parts.settings.uploadLinkSeconds, upsert: isUpsert, ...owner })
  return json({ url: `/object/upload/sign/${address.bucketId}/${address.name}?token=${token}`, token })
}

async function answerSignedUpload(parts: StorageParts, call: Call): Promise<Response> {
  const { token } = readQuery(call.context.url.searchParams, withToken)
  const { upsert, owner } = verifyLink(parts, token, { scope: 'upload', address: addressIn(call) })
  const actor = asService({ ...anybody(call, 'storage.object.upload_signed'), ...(typeof owner === 'string' ? { ownerId: owner } : {}) })
  const row = await upload(parts, actor, { call, isUpsert: upsert === true })
  return json({ Key: `${row.bucket_id}/${row.name}` })
}

async function answerSignedDownload(parts: StorageParts, call: Call): Promise<Response> {
  const { token, download } = readQuery(call.context.url.searchParams, withToken)
  const address = addressIn(call)
  const { exp } = verifyLink(parts, token, { scope: 'download', address })
  const actor = asService(anybody(call, 'storage.object.get_signed'))
  return fileOf(parts, actor, { call, address, reply: { download: download ?? null, expiresAt: new Date(exp * 1000) } })
}

/** Links that carry their own right: to download, and to upload. */
export const linkRoutes = (parts: StorageParts): Route[] => [
  { method: 'POST', pattern: '/object/sign/:bucket', answer: (call) => answerSignMany(parts, call) },
  { method: 'POST', pattern: '/object/sign/:bucket/*', answer: (call) => answerSign(parts, call) },
  { method: 'GET', pattern: '/object/sign/:bucket/*', answer: (call) => answerSignedDownload(parts, call) },
  { method: 'POST', pattern: '/object/upload/sign/:bucket/*', answer: (call) => answerSignUpload(parts, call) },
  { method: 'PUT', pattern: '/object/upload/sign/:bucket/*', answer: (call) => answerSignedUpload(parts, call) },
]
