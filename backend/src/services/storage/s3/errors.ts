import { ServiceError } from '#contract/service-error.ts'

const make = (status: number, code: string, message: string): ServiceError => new ServiceError({ status, code, message })

export const accessDenied = (message: string): ServiceError => make(403, 'AccessDenied', message)
/** 403: the signature is not ours, whichever part of the request was changed. */
export const signatureMismatch = (): ServiceError =>
  make(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match the signature you provided. Check your key and signing method.')
/** 400: the parts of a signature are not there or not of their form. */
export const invalidSignature = (message: string): ServiceError => make(400, 'InvalidSignature', message)
export const expiredSignature = (): ServiceError => make(400, 'ExpiredToken', 'The provided token has expired.')
/** 403: more than fifteen minutes off, so that a captured request is soon worth nothing. */
export const clockSkewed = (): ServiceError =>
  make(403, 'RequestTimeTooSkewed', 'The difference between the request time and the current time is too large.')
export const invalidSessionToken = (): ServiceError => make(400, 'InvalidJWT', 'The session token should be a valid JWT token')
export const invalidRequest = (message: string): ServiceError => make(400, 'InvalidRequest', message)
export const malformedXml = (message: string): ServiceError => make(400, 'MalformedXML', message)
export const malformedTrailer = (message: string): ServiceError => make(400, 'MalformedTrailerError', message)
export const invalidChecksum = (message: string): ServiceError => make(400, 'InvalidChecksum', message)
export const missingContentLength = (): ServiceError => make(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.')
export const missingParameter = (name: string): ServiceError => make(400, 'MissingParameter', `Missing Required Parameter ${name}`)
export const invalidParameter = (name: string): ServiceError => make(400, 'InvalidParameter', `Invalid Parameter ${name}`)
export const noSuchUpload = (): ServiceError =>
  make(404, 'NoSuchUpload', 'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.')
export const invalidPart = (partNumber: number): ServiceError =>
  make(400, 'InvalidPart', `One or more of the specified parts could not be found. Part ${partNumber} was not uploaded, or its entity tag does not match.`)
export const invalidPartOrder = (): ServiceError =>
  make(400, 'InvalidPartOrder', 'The list of parts was not in ascending order. Parts list must be specified in order by part number.')
export const partTooSmall = (): ServiceError =>
  make(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed object size.')
export const entityTooLarge = (): ServiceError => make(413, 'EntityTooLarge', 'The object exceeded the maximum allowed size')
export const bodyOverDeclaredLength = (): ServiceError => invalidRequest('The body is longer than the length it was declared with')
export const preconditionFailed = (): ServiceError =>
  make(412, 'PreconditionFailed', 'At least one of the preconditions you specified did not hold.')
export const notImplemented = (): ServiceError =>
  make(501, 'NotImplemented', 'A header or query you provided implies functionality that is not implemented.')
export const noSuchRoute = (): ServiceError => make(404, 'NotFound', 'Not found')
