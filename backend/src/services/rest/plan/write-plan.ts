import { filterMissing, upsertNeedsPrimaryKey } from '#services/rest/errors.ts'
import type { Payload } from '#services/rest/request/payload.ts'
import type { Preferences } from '#services/rest/request/preferences.ts'
import type { QueryParams } from '#services/rest/request/query-params.ts'
import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'
import type { QualifiedName, Table } from '#services/rest/schema-cache/table.ts'
import type { ReadPlan, ResolvedField, ResolvedLogic } from './read-plan.ts'
import { resolveFilter, resolveLogic, resolveWritten } from './resolve-field.ts'
import { returnedColumns } from './returned-columns.ts'

export type WriteKind = 'insert' | 'upsert' | 'update' | 'delete'

interface WriteCommon {
  table: QualifiedName
  /** Empty when nothing of the rows is wanted. */
  returning: readonly string[]
}

interface Body {
  text: string
  isObject: boolean
}

export interface InsertPlan extends WriteCommon {
  kind: 'insert'
  columns: readonly ResolvedField[]
  body: Body
  conflict?: { resolution: 'merge-duplicates' | 'ignore-duplicates'; columns: readonly string[] }
  /** For PUT: what the row must match. */
  conditions: readonly ResolvedLogic[]
  primaryKey: readonly string[]
  useDefaults: boolean
}

export interface UpdatePlan extends WriteCommon {
  kind: 'update'
  columns: readonly ResolvedField[]
  body: Body
  where: readonly ResolvedLogic[]
  useDefaults: boolean
}

export interface DeletePlan extends WriteCommon {
  kind: 'delete'
  where: readonly ResolvedLogic[]
}

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan

export interface WriteWanted {
  kind: WriteKind
  table: Table
  params: QueryParams
  preferences: Preferences
  payload: Payload | undefined
  /** Columns the body gives values for. */
  names: readonly string[]
  read: ReadPlan
  /** Whether a change or removal of all rows is refused. */
  requiresFilter: boolean
}

const noRows: Body = { text: '[]', isObject: false }

const bodyOf = (payload: Payload | undefined): Body => (payload?.kind === 'json' ? payload : noRows)

const rootConditions = (cache: SchemaCache, { params, table }: WriteWanted): ResolvedLogic[] => [
  ...params.filters.filter(({ path }) => path.length === 0).map(({ value }) => resolveFilter(cache, table, value)),
  ...params.logic.filter(({ path }) => path.length === 0).map(({ value }) => resolveLogic(cache, table, value)),
]

// PUT names its row by the whole primary key and nothing else.
function checkSingleUpsert({ params, table: { primaryKey } }: WriteWanted): void {
  const names = [...params.filterNames]
  const isKey = primaryKey.length > 0 && names.length === primaryKey.length && names.every((name) => primaryKey.includes(name))
  const onlyEquals = params.filters.every(
    ({ path, value: { negated, operation } }) =>
      path.length > 0 || (!negated && operation.kind === 'quantifiable' && operation.operator === 'eq' && operation.quantifier === undefined),
  )
  if (!isKey || !onlyEquals || params.logic.length > 0) throw upsertNeedsPrimaryKey()
}

// One forgotten filter must not cost a table.
function checkFiltered(plan: UpdatePlan | DeletePlan, { requiresFilter }: WriteWanted): WritePlan {
  const writes = plan.kind === 'delete' || plan.columns.length > 0
  if (requiresFilter && writes && plan.where.length === 0) throw filterMissing(plan.kind === 'delete' ? 'DELETE' : 'UPDATE')
  return plan
}

/** Makes the plan of a write. @throws 21000, PGRST105, PGRST204 */
export function planWrite(cache: SchemaCache, wanted: WriteWanted): WritePlan {
  const { kind, table, params, preferences } = wanted
  const wantsRows = preferences.representation === 'representation' || preferences.representation === 'headers-only'
  const common = {
    table: { schema: table.schema, name: table.name },
    returning: wantsRows ? returnedColumns(wanted.read, table.primaryKey) : [],
  }
  const columns = (): ResolvedField[] => [...wanted.names].sort().map((name) => resolveWritten(cache, table, name))
  const body = bodyOf(wanted.payload)
  const useDefaults = preferences.missing === 'default'
  switch (kind) {
    case 'delete':
      return checkFiltered({ ...common, kind, where: rootConditions(cache, wanted) }, wanted)
    case 'update':
      return checkFiltered({ ...common, kind, columns: columns(), body, where: rootConditions(cache, wanted), useDefaults }, wanted)
    case 'upsert': {
      checkSingleUpsert(wanted)
      const { primaryKey } = table
      const conflict = { resolution: 'merge-duplicates', columns: primaryKey } as const
      return { ...common, kind: 'insert', columns: columns(), body, conflict, conditions: rootConditions(cache, wanted), primaryKey, useDefaults: false }
    }
    case 'insert': {
      const { resolution } = preferences
      return {
        ...common, kind, columns: columns(), body, conditions: [], primaryKey: table.primaryKey, useDefaults,
        ...(resolution === undefined ? {} : { conflict: { resolution, columns: params.onConflict ?? table.primaryKey } }),
      }
    }
  }
}
