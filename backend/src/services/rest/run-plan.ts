import type { Caller } from '#contract/caller.ts'
import type { Database, RawResult, TransactionOptions } from '#database/database.ts'
import { sql, type Sql } from '#database/sql.ts'
import { notSingular, tooManyAffected, upsertKeyMismatch } from './errors.ts'
import type { Plan } from './plan/plan.ts'
import type { Prepared } from './prepare.ts'
import type { ApiRequest } from './request/api-request.ts'
import type { RestSettings } from './settings.ts'
import { toTransactionSettings, type TransactionSettings } from './transaction-settings.ts'
import { preRequestSql } from './statement/statement.ts'

/** What the database answered. */
export interface Outcome {
  /** Rows there are in all, when they were counted. */
  total: number | undefined
  /** Rows given or touched. */
  rows: number
  body: string | Uint8Array
  /** JSON of the headers the SQL set. */
  responseHeaders: string | null
  responseStatus: string | null
  /** Primary key of the one row inserted, as filters. */
  location: readonly (readonly [string, string])[]
  /** New rows of an upsert. */
  inserted: number | undefined
}

export interface Execution {
  database: Database
  settings: RestSettings
  caller: Caller
  request: ApiRequest
  prepared: Prepared
  /** What is set for the caller's role. */
  roleSettings: TransactionSettings | undefined
}

const byteaOid = 17

const numberAt = (cells: readonly (string | null)[], at: number): number | undefined => {
  const cell = cells[at] ?? null
  return cell === null ? undefined : Number(cell)
}

function readOutcome({ rows, columns }: RawResult): Outcome {
  const cells = rows[0] ?? []
  const body = cells[2] ?? ''
  return {
    total: numberAt(cells, 0),
    rows: numberAt(cells, 1) ?? 0,
    body: columns[2]?.typeOid === byteaOid ? Buffer.from(body.slice(2), 'hex') : body,
    responseHeaders: cells[3] ?? null,
    responseStatus: cells[4] ?? null,
    location: JSON.parse(cells[5] ?? '[]') as [string, string][],
    inserted: numberAt(cells, 6),
  }
}

const readExplained = ({ rows }: RawResult): Outcome => ({
  total: undefined, rows: rows.length, body: rows.map(([line]) => `${line}\n`).join(''), responseHeaders: null, responseStatus: null, location: [],
  inserted: undefined,
})

function plannedRows(result: RawResult): number | undefined {
  const [explained] = JSON.parse(result.rows[0]?.[0] ?? '[]') as { Plan?: { 'Plan Rows'?: number } }[]
  return explained?.Plan?.['Plan Rows']
}

interface Statements {
  before: readonly Sql[]
  main: Sql
  explain: Sql | undefined
}

const statementsOf = ({ prepared: { main, explain }, settings }: Execution): Statements => ({
  before: settings.preRequest === undefined ? [] : [preRequestSql(settings.preRequest)], main, explain,
})

function withPlanned(outcome: Outcome, planned: number | undefined, { request, settings }: Execution): Outcome {
  const { count } = request.preferences
  if (count === 'planned') return { ...outcome, total: planned }
  const isBeyond = outcome.total !== undefined && (settings.maxRows === undefined || outcome.total > settings.maxRows)
  return isBeyond && planned !== undefined ? { ...outcome, total: Math.max(outcome.total ?? 0, planned) } : outcome
}

function readResults(execution: Execution, { before, explain }: Statements, results: readonly RawResult[]): Outcome {
  const main = results[before.length]!
  if (execution.prepared.plan.chosen.media.kind === 'plan') return readExplained(main)
  const outcome = readOutcome(main)
  const explained = explain && results[before.length + 1]
  return explained ? withPlanned(outcome, plannedRows(explained), execution) : outcome
}

/** Refuses a result that is not what was asked for. @throws PGRST115, PGRST116, PGRST124 */
function checkOutcome({ prepared: { plan }, request: { preferences } }: Execution, { rows }: Outcome): void {
  if (plan.chosen.media.kind === 'plan') return
  if (plan.kind === 'write' && plan.writeKind === 'upsert') {
    if (rows !== 1) throw upsertKeyMismatch()
    return
  }
  if (plan.chosen.media.kind === 'object' && rows !== 1) throw notSingular(rows)
  if (limitsAffected(plan) && preferences.handling === 'strict' && rows > (preferences.maxAffected ?? Infinity)) throw tooManyAffected(rows)
}

const limitsAffected = (plan: Plan): boolean =>
  plan.kind === 'call' || (plan.kind === 'write' && (plan.writeKind === 'update' || plan.writeKind === 'delete'))

// A read that is refused afterwards has changed nothing; a write must be undone.
function mayBeUndone({ prepared: { plan }, request: { preferences } }: Execution): boolean {
  if (plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)) return false
  if (plan.kind === 'write' && plan.writeKind === 'upsert') return true
  return plan.chosen.media.kind === 'object' || (limitsAffected(plan) && preferences.maxAffected !== undefined)
}

function rollsBack({ request: { preferences }, settings: { transactionEnd } }: Execution): boolean {
  return preferences.transaction === 'rollback' || (transactionEnd.startsWith('rollback') && preferences.transaction !== 'commit')
}

function optionsOf({ prepared: { plan }, request, settings, roleSettings }: Execution): TransactionOptions {
  const own = plan.kind === 'call' ? toTransactionSettings(plan.call.routine.settings) : undefined
  const { timezone } = request.preferences
  return {
    ...roleSettings,
    ...own,
    readOnly: plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly),
    searchPath: [...new Set([request.schema, ...settings.extraSearchPath])],
    settings: { ...roleSettings?.settings, ...(timezone === undefined ? {} : { timezone }), ...own?.settings, ...settings.appSettings },
  }
}

/** Carries an outcome out of a transaction that is to be rolled back. */
class RolledBack extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super('rolled back as asked')
    this.outcome = outcome
  }
}

async function runInteractively(execution: Execution, statements: Statements): Promise<Outcome> {
  const { database, caller } = execution
  const { before, main, explain } = statements
  try {
    return await database.asCaller(
      caller,
      async (tx) => {
        const results: RawResult[] = []
        for (const statement of [...before, main, ...(explain ? [explain] : [])]) results.push(await tx.raw(statement))
        const outcome = readResults(execution, statements, results)
        if (rollsBack(execution)) {
          await tx.execute(sql`set constraints all immediate`)
          checkOutcome(execution, outcome)
          throw new RolledBack(outcome)
        }
        checkOutcome(execution, outcome)
        return outcome
      },
      optionsOf(execution),
    )
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome
    throw error
  }
}

/**
 * Runs a plan as the caller: in one round trip, but where a result may have to be undone.
 *
 * @throws DatabaseError, and PGRST115, PGRST116, PGRST124 for a result that is not what was asked for
 */
export async function runPlan(execution: Execution): Promise<Outcome> {
  const statements = statementsOf(execution)
  if (mayBeUndone(execution) || rollsBack(execution)) return runInteractively(execution, statements)
  const { before, main, explain } = statements
  const all = explain ? [...before, main, explain] : [...before, main]
  const results = await execution.database.batchAsCaller(execution.caller, all, optionsOf(execution))
  const outcome = readResults(execution, statements, results)
  checkOutcome(execution, outcome)
  return outcome
}
