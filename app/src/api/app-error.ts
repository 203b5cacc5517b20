/** What a screen needs to know to decide what comes next. Screens switch on it, never on text. */
export type AppErrorKind =
  | 'signed-out'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'invalid'
  | 'busy'
  | 'offline'
  | 'broken'

export interface AppErrorFacts {
  /** The server's own code: `invalid_credentials`, `23505`, `PGRST116`. Empty when it sent none. */
  code?: string
  /** HTTP status; 0 when no answer came. */
  status?: number
  /** The server's own words beside the message: PostgREST's `details` and `hint`. */
  details?: string
  hint?: string
  /** The request id the server answered with, for a report. */
  requestId?: string
  /** What the server adds for one code: `{ reasons: ['length'] }` of `weak_password`. */
  extra?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/** Every failure of a call to the project, in one shape. The message is the server's; the screen's words come from the catalogue. */
export class AppError extends Error {
  readonly kind: AppErrorKind
  readonly code: string
  readonly status: number
  readonly details: string
  readonly hint: string
  readonly requestId: string
  readonly extra: Readonly<Record<string, unknown>>

  constructor(kind: AppErrorKind, message: string, facts: AppErrorFacts = {}) {
    super(message, { cause: facts.cause })
    this.name = 'AppError'
    this.kind = kind
    this.code = facts.code ?? ''
    this.status = facts.status ?? 0
    this.details = facts.details ?? ''
    this.hint = facts.hint ?? ''
    this.requestId = facts.requestId ?? ''
    this.extra = facts.extra ?? {}
  }
}
