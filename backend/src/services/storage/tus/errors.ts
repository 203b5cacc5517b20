import { ServiceError } from '#contract/service-error.ts'

// Status and text of each are those of @tus/server, which the hosted backend answers with.
const make = (status: number, code: string, message: string): ServiceError => new ServiceError({ status, code, message })

export const versionRequired = (): ServiceError =>
  new ServiceError({ status: 412, code: 'TusError', message: 'Tus-Resumable Required\n', headers: { 'tus-version': '1.0.0' } })
export const invalidHeader = (name: string): ServiceError => make(400, 'TusError', `Invalid ${name}\n`)
export const offsetRequired = (): ServiceError => make(403, 'TusError', 'Upload-Offset header required\n')
export const contentTypeRequired = (): ServiceError => make(403, 'TusError', 'Content-Type header required\n')
export const lengthRequired = (): ServiceError => make(400, 'TusError', 'Upload-Length or Upload-Defer-Length header required\n')
export const invalidMetadata = (): ServiceError =>
  make(400, 'TusError', 'Upload-Metadata is invalid. It MUST consist of one or more comma-separated key-value pairs. The key and value MUST be separated by a space. The key MUST NOT contain spaces and commas and MUST NOT be empty. The key SHOULD be ASCII encoded and the value MUST be Base64 encoded. All keys MUST be unique')
export const metadataRequired = (): ServiceError => make(400, 'MetadataRequired', 'Metadata header is required')
export const invalidUploadId = (): ServiceError => make(400, 'InvalidUploadId', 'Invalid upload id')
export const uploadNotFound = (): ServiceError => make(404, 'TusError', 'The file for this url was not found\n')
/** 410: it lived as long as it may, or it was ended. */
export const uploadGone = (): ServiceError => make(410, 'TusError', 'The file for this url no longer exists\n')
export const offsetConflict = (): ServiceError => make(409, 'TusError', 'Upload-Offset conflict\n')
/** 413: more bytes than the upload said it would have. */
export const sizeExceeded = (): ServiceError => make(413, 'TusError', "upload's size exceeded\n")
/** 413: more bytes than the bucket takes. */
export const maximumSizeExceeded = (): ServiceError => make(413, 'TusError', 'Maximum size exceeded\n')
export const alreadyComplete = (): ServiceError => make(400, 'TusError', 'Cannot terminate an already completed upload')
/** 423: somebody else is sending to this upload right now. */
export const uploadLocked = (): ServiceError =>
  new ServiceError({ status: 423, code: 'ResourceLocked', message: 'The resource is locked', headers: { 'retry-after': '1' } })
export const interrupted = (): ServiceError => make(400, 'Aborted', 'Request aborted due to lock acquired')
export const notSupported = (): ServiceError =>
  make(501, 'TusError', 'Concatenation extension is not (yet) supported. Disable parallel uploads in the tus client.\n')
/** 403: an upload is continued by whoever began it. */
export const notYours = (): ServiceError => make(403, 'AccessDenied', 'new row violates row-level security policy')
