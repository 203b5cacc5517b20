import { ServiceError } from '#contract/service-error.ts'

/** Why a join was refused, or a channel closed: the hosted backend's code and words. */
export interface Refusal {
  /** Stands before the words in a join's reply, and in the log. */
  code: string
  message: string
}

const refusal = (code: string, message: string): Refusal => ({ code, message })

export const topicNameRequired = refusal('TopicNameRequired', 'You must provide a topic name')
export const topicNameTooLong = refusal('TopicNameTooLong', 'A topic name has at most 1000 characters')
export const joinTooLarge = refusal('InvalidJoinPayload', 'The payload of a join is too large')
export const tooManyChannels = refusal('ChannelRateLimitReached', 'Too many channels')
export const tooManyJoins = refusal('ClientJoinRateLimitReached', 'Too many joins per second')
export const restarting = refusal('RealtimeRestarting', 'Realtime is restarting, please standby')
export const databaseUnavailable = refusal('UnableToConnectToProject', 'Realtime was unable to connect to the project database')
export const queryCanceled = refusal('QueryCanceled', 'Query was cancelled, please try again')
export const missingPartition = refusal('MissingPartition', 'Realtime was unable to find the expected messages partition')
export const replayFailed = refusal('UnableToReplayMessages', 'Realtime was unable to replay messages')
export const replayParamsInvalid = refusal('UnableToReplayMessages', 'Replay params are not valid')
export const replayOfPublic = refusal('UnableToReplayMessages', 'Replay is not allowed for public channels')
export const missingClaims = refusal('InvalidJWTToken', 'Fields `role` and `exp` are required in JWT')
export const malformedToken = refusal('MalformedJWT', 'The token provided is not a valid JWT')
export const badSignature = refusal('JwtSignatureError', 'Failed to validate JWT signature')
export const unknownSigner = refusal('JwtSignerError', 'Failed to generate JWT signer, check your JWT secret or JWKS configuration')
export const notYetValid = refusal('InvalidJWTToken', 'The token provided is not valid yet')
export const unknownRole = refusal('Unauthorized', 'The role of the token provided may not be used')
export const mayNotRead = (name: string): Refusal => refusal('Unauthorized', `You do not have permissions to read from this Channel topic: ${name}`)
export const mayNoLongerRead = (name: string): Refusal => refusal('Unauthorized', `You no longer have permission to read from this Channel topic: ${name}`)
export const tokenExpired = (secondsAgo: number): Refusal => refusal('InvalidJWTToken', `Token has expired ${secondsAgo} seconds ago`)

/** The text of a join's error reply. */
export const reasonOf = ({ code, message }: Refusal): string => `${code}: ${message}`

export const tooManyEvents = 'Too many messages per second'
export const tooManyPresenceEvents = 'Too many presence messages per second'
export const tooManyOwnPresenceEvents = 'Client presence rate limit exceeded'
export const presenceTooLarge = 'Track message size exceeded'
export const noReplicationInTime = 'Replication connection was not established in time'

export const unauthorized = (): ServiceError => new ServiceError({ status: 401, code: 'Unauthorized', message: 'Unauthorized' })
export const mayNotWrite = (): ServiceError => new ServiceError({ status: 403, code: 'Unauthorized', message: 'Unauthorized' })
export const policyError = (): ServiceError => new ServiceError({ status: 422, code: 'RlsPolicyError', message: 'RLS policy error' })
export const noSuchRoute = (): ServiceError => new ServiceError({ status: 404, code: 'NotFound', message: 'Not Found' })
export const upgradeRequired = (): ServiceError =>
  new ServiceError({ status: 426, code: 'UpgradeRequired', message: 'This path takes WebSockets only', headers: { upgrade: 'websocket', connection: 'upgrade' } })
export const malformedBody = (): ServiceError => new ServiceError({ status: 400, code: 'BadRequest', message: 'Bad Request' })
export const rateExceeded = (): ServiceError => new ServiceError({ status: 429, code: 'TooManyRequests', message: 'You have exceeded your rate limit' })
export const batchTooLarge = (): ServiceError =>
  new ServiceError({ status: 429, code: 'TooManyRequests', message: 'Too many messages to broadcast, please reduce the batch size' })

/** The body is `{ "error": … }`, as the hosted server's plug answers before its own dialect begins. */
export const unsupportedMediaType = (): ServiceError =>
  new ServiceError({
    status: 415,
    code: 'UnsupportedMediaType',
    message: 'Unsupported Media Type. Use application/json or application/octet-stream',
    extra: { error: 'Unsupported Media Type. Use application/json or application/octet-stream' },
  })

/** What is wrong with the fields of a body, by their names: `{ payload: ["can't be blank"] }`. */
export const invalidFields = (errors: Readonly<Record<string, unknown>>): ServiceError =>
  new ServiceError({ status: 422, code: 'UnprocessableEntity', message: 'Unprocessable Entity', extra: { errors } })
