import { mostAsked, type AskedChange } from '#services/realtime/change-feed.ts'
import { inspect } from './elixir-terms.ts'
import { readFilters, type Filter } from './filter-text.ts'

export type ChangeType = 'INSERT' | 'UPDATE' | 'DELETE'

/** One element of what a channel asks for, checked. */
export interface Wanted {
  event: '*' | ChangeType
  /** A name, or `*` for all. */
  schema: string
  /** A name, or `*` for all. */
  table: string
  filters: readonly Filter[]
  /** Names of columns; null means all one may read. */
  select: readonly string[] | null
}

/** What was asked cannot be meant; the message is the hosted one. */
export class AskedWrongly extends Error {}

export const tooManyAsked = (): AskedWrongly => new AskedWrongly(`Too many postgres_changes in one channel: at most ${mostAsked}`)

const nothingAsked = 'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: '
const wildcardSelect = 'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.'
const selectNoList = 'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]'

function readEvent(event: unknown): Wanted['event'] {
  const upper = typeof event === 'string' ? event.toUpperCase() : '*'
  return upper === 'INSERT' || upper === 'UPDATE' || upper === 'DELETE' ? upper : '*'
}

function readSelect(select: unknown): string[] | null {
  if (typeof select === 'string') throw new AskedWrongly(selectNoList)
  const names = Array.isArray(select) ? select.filter((name): name is string => typeof name === 'string') : []
  return names.length > 0 ? names : null
}

function readFilterParameter(filter: string): Filter[] {
  try {
    return readFilters(filter)
  } catch (error) {
    throw new AskedWrongly(`Error parsing \`filter\` params: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function refuse(asked: AskedChange): never {
  throw new AskedWrongly(nothingAsked + ('user_token' in asked || 'auth_token' in asked ? '<redacted>' : inspect(asked)))
}

/**
 * Reads `{ event, schema, table?, filter?, select? }`.
 *
 * @throws AskedWrongly
 * @see supabase/realtime lib/extensions/postgres_cdc_rls/subscriptions.ex, `parse_subscription_params`
 */
export function readAsked(asked: AskedChange): Wanted {
  const event = readEvent(asked.event)
  const select = readSelect(asked.select)
  const hasSchema = typeof asked.schema === 'string'
  const hasTable = typeof asked.table === 'string'
  const filtered = 'filter' in asked && asked.filter !== undefined
  if (!hasSchema && !hasTable) refuse(asked)
  if (filtered && !(hasSchema && hasTable && typeof asked.filter === 'string')) refuse(asked)
  if (('schema' in asked && !hasSchema) || ('table' in asked && !hasTable)) refuse(asked)
  const schema = hasSchema ? (asked.schema as string) : 'public'
  const table = hasTable ? (asked.table as string) : '*'
  const filters = filtered ? readFilterParameter(asked.filter as string) : []
  if (select !== null && (schema === '*' || table === '*')) throw new AskedWrongly(wildcardSelect)
  return { event, schema, table, filters, select }
}

/** What was asked, as the hosted messages repeat it. */
export function describeWanted({ event, schema, table, filters, select }: Wanted): string {
  const tuples = filters.map(({ column, operator, value, negate }) => ({ tuple: [column, operator, value, negate] }))
  return `event: ${event}, schema: ${schema}, table: ${table}, filters: ${inspect(tuples)}, select: ${inspect(select)}`
}
