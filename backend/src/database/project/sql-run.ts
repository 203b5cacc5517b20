import type { Database } from '#database/database.ts'
import { DatabaseError } from '#database/database-error.ts'
import { inTurn } from '#database/schema/turn.ts'
import { sql } from '#database/sql.ts'
import { MigrationFailed, type MigrationFailure } from './failures.ts'
import { reshape, type Surroundings } from './reshape.ts'
import { placeOf, splitScript, type Statement } from './statements.ts'

/** A file's text and what to do around it. */
export interface SqlRun {
  /** For messages. */
  name: string
  text: string
  /** SQL that belongs to the same implicit transaction and comes last: the note that the file is applied. */
  closing?: (statements: readonly string[]) => string
  /** SQL that is true when another process that shares the database has applied the file meanwhile. */
  isApplied?: string
}

interface Piece {
  statement: Statement
  texts: readonly string[]
}

// Deleting files' rows is guarded against accidents of an app; a migration that does it means it.
const allowDeletes = "set storage.allow_delete_query = 'true'"

const appliedMeanwhile = 'PA001'

// Processes that start at once on one database take turns, and each asks again when its turn has come.
const opening = ({ isApplied }: SqlRun): string =>
  isApplied === undefined
    ? allowDeletes
    : inTurn(`do $ask$ begin if ${isApplied} then raise sqlstate '${appliedMeanwhile}'; end if; end $ask$\n;${allowDeletes}`)

/** Runs files of SQL, each as one implicit transaction, and says exactly where one failed. */
export class SqlRunner {
  readonly #database: Database
  readonly #surroundings: Surroundings
  readonly #warnings: string[]

  /** @param warnings taken along and added to. */
  constructor(database: Database, surroundings: Surroundings, warnings: string[]) {
    this.#database = database
    this.#surroundings = surroundings
    this.#warnings = warnings
  }

  /**
   * Gives whether the file ran; it did not when another process applied it meanwhile.
   *
   * @throws MigrationFailed with the place in the file; nothing of the file is kept unless it commits by itself.
   */
  async run(run: SqlRun): Promise<boolean> {
    let pieces = this.#prepare(run)
    const closing = run.closing?.(pieces.map(({ statement }) => statement.text))
    for (;;) {
      const failure = await this.#attempt(pieces, { opening: opening(run), closing })
      if (failure === undefined) return true
      if (failure.error.sqlstate === appliedMeanwhile) return false
      const piece = pieces[failure.index ?? -1]
      if (piece === undefined || !mayBeLeftOut(pieces, piece, failure.error)) throw locate(run, pieces, { piece, ...failure })
      this.#warnings.push(`${run.name}: left out, since it is about an object of the platform that is not here: ${firstLine(piece.statement.text)}`)
      pieces = pieces.filter((each) => each !== piece)
    }
  }

  #prepare({ name, text }: SqlRun): Piece[] {
    const { statements, metaCommands } = splitScript(text)
    const quiet = metaCommands.filter(({ text }) => !/^\\(un)?restrict\b/.test(text))
    if (quiet.length > 0) this.#warnings.push(`${name}: commands of psql are passed over: ${quiet.map(({ text }) => text).join(', ')}`)
    const said = new Set<string>()
    return statements.map((statement) => {
      const { texts, warning } = reshape(statement, this.#surroundings)
      if (warning !== undefined && !said.has(warning)) this.#warnings.push(`${name}: ${warning}`)
      if (warning !== undefined) said.add(warning)
      return { statement, texts }
    })
  }

  async #attempt(pieces: readonly Piece[], frame: Frame): Promise<Failure | undefined> {
    // What commits in between cannot be run twice to find the failing statement: it counts from the start.
    const marked = pieces.some(({ statement }) => commitsByItself(statement.text))
    const script = assemble(pieces, frame, marked ? await this.#resetCount() : undefined)
    const error = await this.#send(script)
    if (error === undefined) return undefined
    const index = indexAt(script, error)
    if (index !== undefined || error.sqlstate === appliedMeanwhile) return { error, script, index }
    if (!marked) await this.#send(assemble(pieces, frame, await this.#resetCount()))
    return { error, script, index: await this.#readCount() }
  }

  async #send({ text }: Assembled): Promise<DatabaseError | undefined> {
    try {
      await this.#database.script('postgres', text)
      return undefined
    } catch (error) {
      if (error instanceof DatabaseError) return error
      throw error
    }
  }

  // A sequence, which no rollback takes back. By its object id any role that the script switches to can write it.
  async #resetCount(): Promise<number> {
    const { id } = await this.#database.asAdmin('postgres', (tx) =>
      tx.one<{ id: number }>(sql`select s.id::int as id, setval(s.id, 0, false) from (select '_portico.statement_at'::regclass::oid as id) s`))
    return id
  }

  async #readCount(): Promise<number> {
    const { at } = await this.#database.asAdmin('postgres', (tx) =>
      tx.one<{ at: number }>(sql`select last_value::int as at from _portico.statement_at`))
    return at
  }
}

const commitsByItself = (text: string): boolean => /^(commit|end|rollback|abort)\b/i.test(text)
const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 160)

/** What runs before and after the file, in its transaction. */
interface Frame {
  opening: string
  closing: string | undefined
}

interface Assembled {
  text: string
  /** Where in it each piece starts. */
  starts: readonly number[]
}

interface Failure {
  error: DatabaseError
  script: Assembled
  /** Which piece failed. */
  index: number | undefined
}

/** The script that runs. With `mark`, the object id of a sequence, it counts its statements there. */
function assemble(pieces: readonly Piece[], { opening, closing }: Frame, mark?: number): Assembled {
  let text = opening
  const starts: number[] = []
  pieces.forEach(({ texts }, index) => {
    if (mark !== undefined) text += `\n;select pg_catalog.setval(${mark}::regclass, ${index}, true)`
    starts.push(text.length + 2)
    for (const each of texts) text += `\n;${each}`
  })
  if (closing !== undefined) text += `\n;set role postgres\n;${closing}`
  return { text, starts }
}

function indexAt({ starts }: Assembled, error: DatabaseError): number | undefined {
  const { position } = error.facts
  if (position === undefined) return undefined
  const index = starts.findLastIndex((start) => start <= position - 1)
  return index < 0 ? undefined : index
}

// Dumps of hosted projects speak of the platform's own functions and tables in the versions of their day.
const platformSchemas = String.raw`"?(extensions|graphql|graphql_public|vault|pgsodium|pgsodium_masks|net|cron|pgbouncer|realtime|_realtime|supabase_functions|storage|auth|pgtle)"?\.`
const platformStatement = new RegExp(
  String.raw`^(grant|revoke|comment\s+on|alter\s+(function|procedure|table|view|sequence|type|event\s+trigger|default\s+privileges)\b[\s\S]*\sowner\s+to)\b[\s\S]*${platformSchemas}`, 'i')
// What `pg_dump --data-only` says of sequences in schemas it should have left out.
const platformSequence = /^select\s+(pg_catalog\.)?setval\s*\(\s*'"?(pgsodium|vault|net|cron|graphql|supabase_functions|storage|auth|realtime)"?\./i

// Rows about files that are not here, in the columns of another version of the storage schema.
const platformRows = /^insert\s+into\s+"?storage"?\."?(objects|prefixes|migrations|s3_multipart_uploads(_parts)?)"?[\s(]/i

const missing = new Set(['42883', '42P01', '42704', '42703', '3F000'])

const isAboutThePlatform = (text: string, error: DatabaseError): boolean =>
  missing.has(error.sqlstate) && (platformStatement.test(text) || platformSequence.test(text) || platformRows.test(text) || /^alter\s+event\s+trigger\b/i.test(text))

// What ran before a commit would run again.
const mayBeLeftOut = (pieces: readonly Piece[], piece: Piece, error: DatabaseError): boolean =>
  isAboutThePlatform(piece.statement.text, error) && !pieces.slice(0, pieces.indexOf(piece)).some(({ statement }) => commitsByItself(statement.text))

function locate(run: SqlRun, pieces: readonly Piece[], { piece, error, script, index }: Failure & { piece: Piece | undefined }): MigrationFailed {
  const failure: MigrationFailure = { file: run.name, rolledBack: sayRolledBack(run, pieces) }
  if (piece) Object.assign(failure, placeOf(run.text, piece.statement.offset + within(piece, script.starts[index ?? 0] ?? 0, error)), { statement: piece.statement.text.slice(0, 2_000) })
  return new MigrationFailed(failure, error)
}

// Only a statement that ran as it stands has its places where the file has them.
function within({ statement, texts }: Piece, start: number, error: DatabaseError): number {
  const { position } = error.facts
  if (position === undefined || texts.length !== 1 || texts[0] !== statement.text) return 0
  return Math.min(Math.max(position - 1 - start, 0), statement.text.length)
}

const sayRolledBack = ({ name }: SqlRun, pieces: readonly Piece[]): string =>
  pieces.some(({ statement }) => commitsByItself(statement.text))
    ? `${name} commits by itself: what came before its last COMMIT stays, the rest is rolled back.`
    : `All of ${name} is rolled back; files applied before it stay.`
