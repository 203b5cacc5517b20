import type { DatabaseError } from '#database/database-error.ts'

/** Where in which file a project's SQL failed, and what that undid. */
export interface MigrationFailure {
  /** Relative to the project: `supabase/migrations/20240101000000_init.sql`. */
  file: string
  /** 1-based; left out when the failing place is not known. */
  line?: number
  column?: number
  /** The statement, shortened to its first 2,000 characters. */
  statement?: string
  /** One sentence: what is undone, and what stays. */
  rolledBack: string
}

/** A migration, roles file or seed that the database refused. */
export class MigrationFailed extends Error {
  readonly file: string
  readonly line: number | undefined
  readonly column: number | undefined
  readonly statement: string | undefined
  readonly rolledBack: string
  /** Five characters: `42P01`. */
  readonly sqlstate: string

  constructor(failure: MigrationFailure, cause: DatabaseError) {
    super(describeFailure(failure, cause), { cause })
    this.name = 'MigrationFailed'
    this.file = failure.file
    this.line = failure.line
    this.column = failure.column
    this.statement = failure.statement
    this.rolledBack = failure.rolledBack
    this.sqlstate = cause.sqlstate
  }
}

function describeFailure({ file, line, column, statement, rolledBack }: MigrationFailure, cause: DatabaseError): string {
  const { detail, hint, where } = cause.facts
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
  const notes = [detail && `Detail: ${detail}`, hint && `Hint: ${hint}`, where && `Context: ${where}`, statement && `Statement:\n${indent(statement)}`]
  return [`${place}: ${cause.message} (SQLSTATE ${cause.sqlstate})`, ...notes.filter(Boolean), rolledBack].join('\n')
}

const shownLines = 12

function indent(statement: string): string {
  const lines = statement.split('\n')
  const shown = lines.slice(0, shownLines)
  if (lines.length > shownLines) shown.push(`… ${lines.length - shownLines} more lines`)
  return shown.map((line) => `    ${line}`).join('\n')
}

/** A project folder that cannot be read as one. */
export class ProjectUnreadable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ProjectUnreadable'
  }
}
