import { ServiceError } from '#contract/service-error.ts'

/**
 * Every failure the storage API expects. `status` is what the failure means, and what resumable uploads and the S3 protocol answer;
 * the JSON API answers 400 for nearly all of them (`render-failure.ts`).
 *
 * @see supabase/storage src/internal/errors/codes.ts
 */
interface Facts {
  status: number
  code: string
  message: string
  /** The member `error` of the body. Default: the code. */
  error?: string
  /** HTTP status of the JSON API, where it is neither 400 nor 500. */
  httpStatus?: number
  cause?: unknown
}

const failure = ({ status, code, message, error = code, httpStatus, cause }: Facts): ServiceError =>
  new ServiceError({ status, code, message, extra: { error, ...(httpStatus === undefined ? {} : { httpStatus }) } }, cause === undefined ? undefined : { cause })

// Buckets

export const bucketNotFound = (): ServiceError => failure({ status: 404, code: 'NoSuchBucket', error: 'Bucket not found', message: 'Bucket not found' })
export const bucketExists = (cause?: unknown): ServiceError =>
  failure({ status: 409, code: 'BucketAlreadyExists', error: 'Duplicate', message: 'The resource already exists', cause })
export const bucketNameInvalid = (): ServiceError => failure({ status: 400, code: 'InvalidBucketName', error: 'Invalid Input', message: 'Bucket name invalid' })
export const bucketNotEmpty = (): ServiceError =>
  failure({ status: 409, code: 'ResourceNotEmpty', message: 'The bucket you tried to delete is not empty' })
export const bucketTooFull = (): ServiceError =>
  failure({ status: 409, code: 'InvalidRequest', message: 'Unable to empty the bucket because it contains too many objects' })
export const fileSizeLimitInvalid = (): ServiceError =>
  failure({ status: 400, code: 'InvalidRequest', message: 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B' })
export const featureNotEnabled = (feature: string): ServiceError =>
  failure({ status: 409, code: 'FeatureNotEnabled', message: `The feature ${feature} is not enabled for this resource` })

// Objects

export const objectNotFound = (): ServiceError => failure({ status: 404, code: 'NoSuchKey', error: 'not_found', message: 'Object not found' })
export const objectExists = (cause?: unknown): ServiceError =>
  failure({ status: 409, code: 'KeyAlreadyExists', error: 'Duplicate', message: 'The resource already exists', cause })
export const keyInvalid = (name: string): ServiceError => failure({ status: 400, code: 'InvalidKey', message: `Invalid key: ${name}` })
export const mimeTypeRefused = (mimeType: string): ServiceError =>
  failure({ status: 415, code: 'InvalidMimeType', error: 'invalid_mime_type', message: `mime type ${mimeType} is not supported` })
export const tooLarge = (entity = 'object'): ServiceError =>
  failure({ status: 413, code: 'EntityTooLarge', error: 'Payload too large', message: `The ${entity} exceeded the maximum allowed size` })
export const noContent = (message = 'No content provided'): ServiceError => failure({ status: 400, code: 'InvalidRequest', message })
export const rangeInvalid = (): ServiceError =>
  failure({ status: 416, code: 'InvalidRange', error: 'invalid_range', message: 'invalid range provided', httpStatus: 416 })
export const robotsTagInvalid = (reason: string): ServiceError =>
  failure({ status: 400, code: 'InvalidRequest', error: 'invalid_x_robots_tag', message: `Invalid X-Robots-Tag header: ${reason}` })
/** The row is there, its bytes are not. */
export const bytesNotFound = (): ServiceError => failure({ status: 404, code: 'NoSuchKey', error: 'Not found', message: 'The resource was not found' })

// Who asks

export const accessDenied = (message = 'Access denied', cause?: unknown): ServiceError =>
  failure({ status: 403, code: 'AccessDenied', error: 'Unauthorized', message, cause })
export const roleRefused = (): ServiceError =>
  failure({ status: 403, code: 'AccessDenied', error: 'Unauthorized', message: 'Access denied: Invalid role', httpStatus: 403 })
export const tokenInvalid = (message: string): ServiceError => failure({ status: 400, code: 'InvalidJWT', message })
export const signatureInvalid = (message = 'Invalid signature'): ServiceError => failure({ status: 400, code: 'InvalidSignature', message })

// Requests

export const requestInvalid = (message: string, error = 'Error'): ServiceError => failure({ status: 400, code: 'InvalidRequest', error, message })
export const parameterInvalid = (message: string, cause?: unknown): ServiceError => failure({ status: 400, code: 'InvalidParameter', message, cause })
export const bodyTypeInvalid = (): ServiceError =>
  failure({ status: 415, code: 'InvalidMimeType', error: 'invalid_mime_type', message: 'Invalid Content-Type header' })
export const bodyTooLarge = (): ServiceError =>
  failure({ status: 413, code: 'EntityTooLarge', error: 'FastifyError', message: 'Request body is too large', httpStatus: 413 })
export const routeNotFound = (method: string, path: string): ServiceError =>
  failure({ status: 404, code: 'InvalidRequest', error: 'Not Found', message: `Route ${method}:${path} not found`, httpStatus: 404 })

// Images

export const imageRefused = (message: string, status = 400): ServiceError =>
  failure({ status, code: status >= 500 ? 'InternalError' : 'InvalidRequest', message, ...(status === 429 ? { httpStatus: 429 } : {}) })

// The database

export const resourceExists = (cause?: unknown): ServiceError =>
  failure({ status: 409, code: 'ResourceAlreadyExists', error: 'Duplicate', message: 'The resource already exists', cause })
export const resourceReferenced = (message: string, cause?: unknown): ServiceError => failure({ status: 409, code: 'ResourceReferenced', message, cause })
export const relatedResourceNotFound = (cause?: unknown): ServiceError =>
  failure({ status: 404, code: 'InvalidRequest', message: 'The related resource does not exist', cause })
export const resourceLocked = (cause?: unknown): ServiceError => failure({ status: 423, code: 'ResourceLocked', message: 'The resource is locked', cause })
export const databaseTimedOut = (cause?: unknown): ServiceError =>
  failure({ status: 544, code: 'DatabaseTimeout', message: 'The connection to the database timed out', httpStatus: 544, cause })
export const tooManyConnections = (cause?: unknown): ServiceError =>
  failure({ status: 429, code: 'SlowDown', error: 'too_many_connections', message: 'Too many connections issued to the database', httpStatus: 429, cause })
export const databaseReadOnly = (cause?: unknown): ServiceError =>
  failure({ status: 503, code: 'DatabaseReadOnly', message: 'The database is currently in read-only mode. Please try again later.', cause })
export const policyBroken = (cause?: unknown): ServiceError =>
  failure({ status: 503, code: 'DatabaseInvalidObjectDefinition', message: 'The database schema is invalid or incompatible.', cause })
export const schemaMismatch = (message: string, cause?: unknown): ServiceError => failure({ status: 503, code: 'DatabaseSchemaMismatch', message, cause })
export const databaseFailed = (sqlstate: string, cause?: unknown): ServiceError =>
  failure({ status: 500, code: 'DatabaseError', message: `database error, code: ${sqlstate}`, cause })
