import { ServiceError, type ServiceErrorFacts } from '#contract/service-error.ts'

/** Every failure the data API expects, by its code. @see PostgREST docs/references/errors.rst */

const failure = (facts: ServiceErrorFacts): ServiceError => new ServiceError(facts)

const quotedList = (names: readonly string[]): string => names.join(', ')

// PGRST0xx: the database

export const schemaCacheNotReady = (cause?: unknown): ServiceError =>
  new ServiceError(
    { status: 503, code: 'PGRST002', message: 'Could not query the database for the schema cache. Retrying.', headers: { 'Retry-After': '1' } },
    { cause },
  )

// PGRST1xx: the request

export const queryNotUnderstood = (position: string, expectation: string): ServiceError =>
  failure({ status: 400, code: 'PGRST100', message: position, details: expectation })

export const methodNotForFunctions = (method: string): ServiceError =>
  failure({ status: 405, code: 'PGRST101', message: `Cannot use the ${method} method on RPC` })

export const bodyNotUnderstood = (message: string): ServiceError => failure({ status: 400, code: 'PGRST102', message })

export const rangeNotSatisfiable = (details: string): ServiceError =>
  failure({ status: 416, code: 'PGRST103', message: 'Requested range not satisfiable', details })

export const rangeBeyondRows = (offset: number, total: number): ServiceError =>
  failure({
    status: 416, code: 'PGRST103', message: 'Requested range not satisfiable',
    details: `An offset of ${offset} was requested, but there are only ${total} rows.`, headers: { 'Content-Range': `*/${total}` },
  })

export const upsertNeedsPrimaryKey = (): ServiceError =>
  failure({ status: 405, code: 'PGRST105', message: "Filters must include all and only primary key columns with 'eq' operators" })

export const schemaNotExposed = (schema: string, exposed: readonly string[]): ServiceError =>
  failure({
    status: 406, code: 'PGRST106', message: `Invalid schema: ${schema}`,
    hint: `Only the following schemas are exposed: ${quotedList(exposed)}`,
  })

export const mediaNotAvailable = (asked: readonly string[]): ServiceError =>
  failure({ status: 406, code: 'PGRST107', message: `None of these media types are available: ${quotedList(asked)}` })

export const resourceNotEmbedded = (name: string): ServiceError =>
  failure({
    status: 400, code: 'PGRST108', message: `'${name}' is not an embedded resource in this request`,
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  })

export const responseHeadersNotUnderstood = (): ServiceError =>
  failure({
    status: 500, code: 'PGRST111',
    message: 'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  })

export const responseStatusNotUnderstood = (): ServiceError =>
  failure({ status: 500, code: 'PGRST112', message: 'response.status guc must be a valid status code' })

export const rangeOnSingleUpsert = (): ServiceError =>
  failure({ status: 400, code: 'PGRST114', message: 'limit/offset querystring parameters are not allowed for PUT' })

export const upsertKeyMismatch = (): ServiceError =>
  failure({ status: 400, code: 'PGRST115', message: 'Payload values do not match URL in primary key column(s)' })

export const notSingular = (rows: number): ServiceError =>
  failure({
    status: 406, code: 'PGRST116', message: 'Cannot coerce the result to a single JSON object', details: `The result contains ${rows} rows`,
  })

export const methodNotSupported = (method: string): ServiceError =>
  failure({ status: 405, code: 'PGRST117', message: `Unsupported HTTP method: ${method}` })

export const relatedOrderNotToOne = (origin: string, target: string): ServiceError =>
  failure({
    status: 400, code: 'PGRST118', message: `A related order on '${target}' is not possible`,
    details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  })

export const raisedMessageNotUnderstood = (message: string): ServiceError =>
  raisedNotUnderstood(
    `Invalid JSON value for MESSAGE: '${message}'`,
    "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
  )

const raisedDetailHint = "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."

export const raisedDetailNotUnderstood = (detail: string | undefined): ServiceError =>
  raisedNotUnderstood(
    detail === undefined ? 'DETAIL is missing in the RAISE statement' : `Invalid JSON value for DETAIL: '${detail}'`,
    raisedDetailHint,
  )

const raisedNotUnderstood = (details: string, hint: string): ServiceError =>
  failure({ status: 500, code: 'PGRST121', message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`, details, hint })

export const preferencesNotKnown = (unknown: readonly string[]): ServiceError =>
  failure({
    status: 400, code: 'PGRST122', message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${quotedList(unknown)}`,
  })

export const aggregatesNotAllowed = (): ServiceError =>
  failure({ status: 400, code: 'PGRST123', message: 'Use of aggregate functions is not allowed' })

export const tooManyAffected = (rows: number): ServiceError =>
  failure({
    status: 400, code: 'PGRST124', message: 'Query result exceeds max-affected preference constraint', details: `The query affects ${rows} rows`,
  })

/** In pg-safeupdate's words. */
export const filterMissing = (statement: 'UPDATE' | 'DELETE'): ServiceError =>
  failure({ status: 400, code: '21000', message: `${statement} requires a WHERE clause` })

export const pathNotValid = (): ServiceError => failure({ status: 404, code: 'PGRST125', message: 'Invalid path specified in request URL' })

export const openApiDisabled = (): ServiceError => failure({ status: 404, code: 'PGRST126', message: 'Root endpoint metadata is disabled' })

export const notImplemented = (details: string): ServiceError =>
  failure({ status: 400, code: 'PGRST127', message: 'Feature not implemented', details })

export const maxAffectedNeedsRows = (): ServiceError =>
  failure({
    status: 400, code: 'PGRST128',
    message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
  })

/** The root document is for secret keys: a gateway's answer, in its words. */
export const openApiForbidden = (): ServiceError =>
  failure({
    status: 403, code: '42501', message: 'Access to schema is forbidden',
    hint: 'The schema is only accessible using a secret API key.',
  })

// PGRST2xx: the schema

export const relationshipNotFound = (facts: { origin: string; target: string; hintGiven?: string; schema: string; hint?: string }): ServiceError =>
  failure({
    status: 400, code: 'PGRST200',
    message: `Could not find a relationship between '${facts.origin}' and '${facts.target}' in the schema cache`,
    details:
      `Searched for a foreign key relationship between '${facts.origin}' and '${facts.target}` +
      `${facts.hintGiven === undefined ? '' : `' using the hint '${facts.hintGiven}`}' in the schema '${facts.schema}', but no matches were found.`,
    hint: facts.hint ?? null,
  })

export const relationshipAmbiguous = (facts: { origin: string; target: string; candidates: readonly unknown[]; hints: readonly string[] }): ServiceError =>
  failure({
    status: 300, code: 'PGRST201',
    message: `Could not embed because more than one relationship was found for '${facts.origin}' and '${facts.target}'`,
    hint:
      `Try changing '${facts.target}' to one of the following: ${quotedList(facts.hints)}. ` +
      `Find the desired relationship in the 'details' key.`,
    extra: { details: facts.candidates },
  })

export const functionNotFound = (facts: { message: string; details: string; hint?: string }): ServiceError =>
  failure({
    status: 404, code: 'PGRST202', message: facts.message, details: facts.details, hint: facts.hint ?? null,
  })

export const functionAmbiguous = (candidates: readonly string[]): ServiceError =>
  failure({
    status: 300, code: 'PGRST203', message: `Could not choose the best candidate function between: ${quotedList(candidates)}`,
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  })

export const columnNotFound = (table: string, column: string): ServiceError =>
  failure({ status: 400, code: 'PGRST204', message: `Could not find the '${column}' column of '${table}' in the schema cache` })

export const tableNotFound = (schema: string, table: string, suggestion: string | undefined): ServiceError =>
  failure({
    status: 404, code: 'PGRST205', message: `Could not find the table '${schema}.${table}' in the schema cache`,
    hint: suggestion === undefined ? null : `Perhaps you meant the table '${schema}.${suggestion}'`,
  })

/** A miss that a reload of the schema may mend. */
export const isSchemaMiss = (error: unknown): boolean => error instanceof ServiceError && error.code.startsWith('PGRST20')

// PGRST3xx: the token

const invalidToken = (message: string): Readonly<Record<string, string>> => ({
  'WWW-Authenticate': `Bearer error="invalid_token", error_description=${JSON.stringify(message)}`,
})

export const tokenNotAccepted = (message: string, details: string | null = null): ServiceError =>
  failure({ status: 401, code: 'PGRST301', message, details, headers: invalidToken(message) })

export const tokenRequired = (): ServiceError =>
  failure({ status: 401, code: 'PGRST302', message: 'Anonymous access is disabled', headers: { 'WWW-Authenticate': 'Bearer' } })

export const claimsNotAccepted = (message: string): ServiceError =>
  failure({ status: 401, code: 'PGRST303', message, headers: invalidToken(message) })

export const roleUnknown = (role: string): ServiceError =>
  failure({ status: 401, code: '22023', message: `role "${role}" does not exist`, headers: { 'WWW-Authenticate': 'Bearer' } })
