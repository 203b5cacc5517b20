import { createBucket as makeBucket, deleteBucket as removeBucket, getBucket, listBuckets as findBuckets } from '#services/storage/buckets.ts'
import { readAmzHeader, xmlAnswer, type S3Call } from './call.ts'

/** `ListBuckets`: those the actor may see. */
export async function listBuckets({ parts, actor }: S3Call): Promise<Response> {
  const buckets = await findBuckets(parts.storage, actor, {})
  return xmlAnswer('ListAllMyBucketsResult', { Buckets: { Bucket: buckets.map(({ name, created_at: createdAt }) => ({ Name: name, CreationDate: createdAt })) } })
}

/** `CreateBucket`; `x-amz-acl: public-read` makes a public one. */
export async function createBucket(call: S3Call): Promise<Response> {
  const { parts, actor, address: { bucketId } } = call
  await makeBucket(parts.storage, actor, { id: bucketId, name: bucketId, public: readAmzHeader(call, 'x-amz-acl') === 'public-read' })
  return new Response(null, { headers: { location: `/${bucketId}` } })
}

/** `DeleteBucket`, when nothing is in it. */
export async function deleteBucket({ parts, actor, address: { bucketId } }: S3Call): Promise<Response> {
  await removeBucket(parts.storage, actor, bucketId)
  return new Response(null, { status: 204 })
}

/** `HeadBucket` */
export async function headBucket({ parts, actor, address: { bucketId } }: S3Call): Promise<Response> {
  await getBucket(parts.storage, actor, bucketId)
  return new Response(null, { headers: { 'x-amz-bucket-region': parts.region } })
}

/** `GetBucketLocation` */
export async function getBucketLocation({ parts, actor, address: { bucketId } }: S3Call): Promise<Response> {
  await getBucket(parts.storage, actor, bucketId)
  return xmlAnswer('LocationConstraint', parts.region)
}

/** `GetBucketVersioning`: there are no versions to be had. */
export async function getBucketVersioning({ parts, actor, address: { bucketId } }: S3Call): Promise<Response> {
  await getBucket(parts.storage, actor, bucketId)
  return xmlAnswer('VersioningConfiguration', { Status: 'Suspended', MfaDelete: 'Disabled' })
}
