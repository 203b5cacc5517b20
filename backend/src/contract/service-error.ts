export interface ServiceErrorFacts {
  /** HTTP status. */
  status: number
  /** Stable word of the service's catalogue: `PGRST116`, `invalid_credentials`, `NoSuchKey`. */
  code: string
  /** Shown to the client as it is. */
  message: string
  details?: string | null
  hint?: string | null
  /** Sent with the reply: `WWW-Authenticate`, `Retry-After`. */
  headers?: Readonly<Record<string, string>>
  /** Members a dialect adds to the body: `weak_password`. */
  extra?: Readonly<Record<string, unknown>>
}

/** An expected failure. Made only by a service's `errors.ts`; rendered by that service's own dialect. */
export class ServiceError extends Error {
  readonly status: number
  readonly code: string
  readonly details: string | null
  readonly hint: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly extra: Readonly<Record<string, unknown>>

  constructor(facts: ServiceErrorFacts, options?: { cause?: unknown }) {
    super(facts.message, options)
    this.name = 'ServiceError'
    this.status = facts.status
    this.code = facts.code
    this.details = facts.details ?? null
    this.hint = facts.hint ?? null
    this.headers = facts.headers ?? {}
    this.extra = facts.extra ?? {}
  }
}
