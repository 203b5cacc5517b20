import type { Database, RawResult, Transaction } from '#database/database.ts'
import type { Sql } from '#database/sql.ts'
import { RelationshipIndex, type ForeignKey } from './relationship-index.ts'
import type { ComputedRelationship, ViewKey } from './relationship.ts'
import type { Parameter, Routine } from './routine.ts'
import { makeSchemaCache, representationKey, type SchemaCache } from './schema-cache.ts'
import {
  selectComputedRelationships, selectForeignKeys, selectKeyColumns, selectMediaHandlers, selectRepresentations, selectRoutines, selectTables,
  selectViewRules,
} from './schema-cache.queries.ts'
import { keyOf, makeTable, type QualifiedName, type Table } from './table.ts'
import { traceViewKeys, type KeyColumns, type ViewRule } from './view-keys.ts'
import type { MediaHandler } from './media-handlers.ts'

export interface CatalogScope {
  schemas: readonly string[]
  extraSearchPath: readonly string[]
  hoistedSettings: readonly string[]
}

type Cells = readonly (string | null)[]

const rowsOf = async <T>(tx: Transaction, statement: Sql, read: (cells: Cells) => T): Promise<T[]> => {
  const result: RawResult = await tx.raw(statement)
  return result.rows.map(read)
}

const nameAt = (cells: Cells, at: number): QualifiedName => ({ schema: cells[at] ?? '', name: cells[at + 1] ?? '' })
const isTrue = (cell: string | null | undefined): boolean => cell === 't'
const jsonAt = <T>(cells: Cells, at: number): T => JSON.parse(cells[at] ?? 'null') as T

const readTable = (cells: Cells): Table =>
  makeTable({
    ...nameAt(cells, 0), isView: isTrue(cells[2]), insertable: isTrue(cells[3]), updatable: isTrue(cells[4]), deletable: isTrue(cells[5]),
    primaryKey: jsonAt(cells, 6), columnsJson: cells[7] ?? '[]',
  })

const readForeignKey = (cells: Cells): ForeignKey => ({
  table: nameAt(cells, 0), foreignTable: nameAt(cells, 2), isSelf: isTrue(cells[4]), constraint: cells[5] ?? '', columns: jsonAt(cells, 6),
  oneToOne: isTrue(cells[7]),
})

const readComputed = (cells: Cells): ComputedRelationship => ({
  kind: 'computed', function: nameAt(cells, 0), table: nameAt(cells, 2), foreignTable: nameAt(cells, 4), toOne: isTrue(cells[6]),
})

const volatilities: Readonly<Record<string, Routine['volatility']>> = { i: 'immutable', s: 'stable', v: 'volatile' }

// `name=value` texts; only those named in `hoisted` hold for the whole transaction.
function readSettings(settings: readonly string[], hoisted: readonly string[]): Record<string, string> {
  const pairs = settings.map((setting): [string, string] => {
    const equals = setting.indexOf('=')
    return [setting.slice(0, equals), setting.slice(equals + 1)]
  })
  return Object.fromEntries(pairs.filter(([name]) => hoisted.includes(name)))
}

type CompactParameter = readonly [name: string, type: string, widestType: string, required: boolean, variadic: boolean]

const readParameter = ([name, type, widestType, required, variadic]: CompactParameter): Parameter => ({ name, type, widestType, required, variadic })

const readRoutine = (hoisted: readonly string[]) => (cells: Cells): Routine => ({
  ...nameAt(cells, 0),
  parameters: jsonAt<CompactParameter[]>(cells, 2).map(readParameter),
  returns: { type: nameAt(cells, 3), set: isTrue(cells[5]), composite: isTrue(cells[6]) },
  volatility: volatilities[cells[7] ?? 'v'] ?? 'volatile',
  variadic: isTrue(cells[8]),
  settings: readSettings(jsonAt(cells, 9), hoisted),
})

const readHandler = (cells: Cells): MediaHandler => ({
  function: { name: cells[0] ?? '', schema: cells[1] ?? '' },
  target: cells[2] === 'anyelement' && cells[3] === 'pg_catalog' ? undefined : { name: cells[2] ?? '', schema: cells[3] ?? '' },
  media: cells[4] ?? '',
  answered: cells[5] ?? '',
})

const readViewRule = (cells: Cells): ViewRule => ({
  oid: Number(cells[0]), view: nameAt(cells, 1), rule: cells[3] ?? '', columnNames: jsonAt(cells, 4) ?? {},
})

function readKeyColumns(cells: Cells): KeyColumns[] {
  const constraint = cells[1] ?? ''
  const own = { constraint, oid: Number(cells[2]), table: nameAt(cells, 3), numbers: jsonAt<number[]>(cells, 5), names: jsonAt<Record<string, string>>(cells, 6) }
  if (isTrue(cells[0])) return [{ ...own, role: 'primary' }]
  const foreign = { constraint, oid: Number(cells[7]), table: nameAt(cells, 8), numbers: jsonAt<number[]>(cells, 10), names: jsonAt<Record<string, string>>(cells, 11) }
  return [{ ...own, role: 'foreign' }, { ...foreign, role: 'referenced' }]
}

function withViewKeys(tables: readonly Table[], viewKeys: readonly ViewKey[]): Table[] {
  const primaryKeys = new Map<string, string[]>()
  for (const key of viewKeys.filter(({ role }) => role === 'primary')) {
    primaryKeys.set(keyOf(key.view), [...(primaryKeys.get(keyOf(key.view)) ?? []), ...key.columns.flatMap(([, shown]) => shown.slice(0, 1))])
  }
  // Object spread would parse the columns of every table.
  return tables.map((table) => {
    const primaryKey = table.isView ? primaryKeys.get(keyOf(table)) : undefined
    return primaryKey ? Object.defineProperty(table, 'primaryKey', { value: primaryKey }) : table
  })
}

/** Reads everything planning needs from the catalog, in one transaction. */
export function readCatalog(database: Database, scope: CatalogScope): Promise<SchemaCache> {
  const { schemas } = scope
  const read = async (tx: Transaction): Promise<SchemaCache> => {
    const viewSchemas = [...new Set([...schemas, ...scope.extraSearchPath])]
    const found = await rowsOf(tx, selectTables(schemas), readTable)
    const foreignKeys = await rowsOf(tx, selectForeignKeys(), readForeignKey)
    const rules = await rowsOf(tx, selectViewRules(viewSchemas), readViewRule)
    const keys = rules.length > 0 ? (await rowsOf(tx, selectKeyColumns(), readKeyColumns)).flat() : []
    const computed = await rowsOf(tx, selectComputedRelationships(), readComputed)
    const routines = await rowsOf(tx, selectRoutines(schemas), readRoutine(scope.hoistedSettings))
    const representations = await rowsOf(tx, selectRepresentations(), ([source, target, name]): [string, string] => [representationKey(source ?? '', target ?? ''), name ?? ''])
    const mediaHandlers = await rowsOf(tx, selectMediaHandlers(schemas), readHandler)
    const viewKeys = traceViewKeys(rules, keys, schemas)
    const tables = withViewKeys(found, viewKeys)
    const byName = new Map(tables.map((table) => [keyOf(table), table]))
    const relationships = new RelationshipIndex({ schemas, findTable: (name) => byName.get(keyOf(name)), foreignKeys, viewKeys, computed })
    return makeSchemaCache({ schemas, tables, relationships, routines, representations: new Map(representations), mediaHandlers })
  }
  // With no search path, every type and function is written with its schema.
  return database.asAdmin('postgres', read, { searchPath: [], readOnly: true })
}
