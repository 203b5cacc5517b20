export interface DatabaseErrorFacts {
  /** Five characters: `23505`. */
  sqlstate: string
  message: string
  detail?: string
  hint?: string
  /** 1-based character position in the statement. */
  position?: number
  schema?: string
  table?: string
  column?: string
  constraint?: string
  where?: string
}

/** A failure that Postgres (or the engine's watchdog, 57014 and 57P01) reported. */
export class DatabaseError extends Error {
  readonly sqlstate: string
  readonly facts: DatabaseErrorFacts

  constructor(facts: DatabaseErrorFacts, options?: { cause?: unknown }) {
    super(facts.message, options)
    this.name = 'DatabaseError'
    this.sqlstate = facts.sqlstate
    this.facts = facts
  }
}
