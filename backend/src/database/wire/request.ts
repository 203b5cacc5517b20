import { Buffer } from 'node:buffer'
import { serialize } from 'pg-protocol'
import { DatabaseError } from '#database/database-error.ts'
import type { Sql } from '#database/sql.ts'
import { encodeParameter } from './parameter.ts'
import type { Prepared, PreparedStatements } from './prepared.ts'

/** One statement of a request, its values as they travel. */
export interface Step {
  text: string
  values: readonly (string | Buffer | null)[]
  /** Planning scope of the prepared statement: role and search_path. Left undefined: not prepared. */
  scope: string | undefined
}

/** What goes to the session in one buffer and is answered by one ReadyForQuery. */
export type Request = { steps: readonly Step[] } | { script: string }

// The engine would wait for ever for the data of `copy … from stdin`; this ends such a copy with 57014 and is ignored otherwise.
const refuseCopy = serialize.copyFail('COPY FROM STDIN is not available here')
const mostParameters = 65_535

function checkText(text: string): void {
  // A zero byte would end the string in the message and leave the rest to be read as another message.
  if (text.includes('\0')) throw new DatabaseError({ sqlstate: '22021', message: 'invalid byte sequence for encoding "UTF8": 0x00' })
}

// The transaction is the database layer's: a statement that ended it would leave the next ones to run as the session itself.
const transactionControl = /^\s*(?:begin|start\s+transaction|commit|end|rollback(?!\s+to)|abort|prepare\s+transaction)\b/i

/**
 * Makes a step. Whatever cannot travel is refused here, so that sending never fails halfway.
 *
 * @throws DatabaseError 22021 for a zero byte in the text, 54000 for too many parameters, 2D000 for `commit` and its like.
 */
export function makeStep(statement: Sql, scope: string): Step {
  checkText(statement.text)
  if (statement.values.length > mostParameters)
    throw new DatabaseError({ sqlstate: '54000', message: `a statement takes at most ${mostParameters} parameters` })
  if (transactionControl.test(statement.text))
    throw new DatabaseError({ sqlstate: '2D000', message: 'a statement may not begin or end a transaction' })
  return { text: statement.text, values: statement.values.map(encodeParameter), scope }
}

/** A step that belongs to no role: parsed each time, so that it works whatever became of the prepared statements. */
export const plainStep = (text: string): Step => ({ text, values: [], scope: undefined })

/** @throws DatabaseError 22021 for a zero byte. */
export function makeScript(text: string): Request {
  checkText(text)
  return { script: text }
}

function encodeStep(step: Step, prepared: Prepared, into: Buffer[]): void {
  if (!prepared.sent || prepared.name === '') {
    into.push(serialize.parse({ name: prepared.name, text: step.text }))
    prepared.sent = true
  }
  into.push(serialize.bind({ statement: prepared.name, values: step.values as (string | Buffer | null)[] }))
  if (prepared.columns === undefined) into.push(serialize.describe({ type: 'P' }))
  into.push(serialize.execute())
}

/** The bytes of a request, and the prepared statement each step runs. */
export function encodeRequest(request: Request, statements: PreparedStatements): { bytes: Buffer; prepared: Prepared[] } {
  if ('script' in request) return { bytes: Buffer.concat([serialize.query(request.script), refuseCopy]), prepared: [] }
  // Closing comes first, since what follows an error is skipped.
  const parts: Buffer[] = statements.takeToClose().map((name) => serialize.close({ type: 'S', name }))
  const prepared = request.steps.map((step) => statements.use(step.scope, step.text))
  request.steps.forEach((step, index) => encodeStep(step, prepared[index] as Prepared, parts))
  parts.push(refuseCopy, serialize.sync())
  return { bytes: Buffer.concat(parts), prepared }
}
