import type { ViewKey } from './relationship.ts'
import type { QualifiedName } from './table.ts'
import { readViewColumns } from './view-columns.ts'

export interface ViewRule {
  oid: number
  view: QualifiedName
  /** `pg_rewrite.ev_action` as text. */
  rule: string
  /** By column number. */
  columnNames: Readonly<Record<string, string>>
}

/** One side of a key: the columns of a table, in key order. */
export interface KeyColumns {
  role: ViewKey['role']
  constraint: string
  oid: number
  table: QualifiedName
  numbers: readonly number[]
  /** By column number. */
  names: Readonly<Record<string, string>>
}

interface Origin {
  viewColumn: number
  relationOid: number
  relationColumn: number
}

// Follows each column down through views, keeping every relation on its way. A view that stands on itself ends the walk.
function traceColumns(oid: number, direct: ReadonlyMap<number, readonly Origin[]>): Origin[] {
  const traced: Origin[] = []
  const walk = (origin: Origin, passed: readonly number[]): void => {
    traced.push(origin)
    if (passed.includes(origin.relationOid)) return
    for (const below of direct.get(origin.relationOid) ?? []) {
      if (below.viewColumn !== origin.relationColumn) continue
      walk({ ...below, viewColumn: origin.viewColumn }, [...passed, origin.relationOid])
    }
  }
  for (const origin of direct.get(oid) ?? []) walk(origin, [])
  return traced
}

/** Finds the keys that views show whole, through any number of views. */
export function traceViewKeys(rules: readonly ViewRule[], keys: readonly KeyColumns[], schemas: readonly string[]): ViewKey[] {
  const direct = new Map(rules.map(({ oid, rule }) => [oid, readViewColumns(rule)]))
  const byRelation = new Map<number, KeyColumns[]>()
  for (const key of keys) byRelation.set(key.oid, [...(byRelation.get(key.oid) ?? []), key])
  return rules
    .filter(({ view }) => schemas.includes(view.schema))
    .flatMap((rule) => {
      const shown = new Map<string, string[]>()
      const relations = new Set<number>()
      for (const { viewColumn, relationOid, relationColumn } of traceColumns(rule.oid, direct)) {
        const place = `${relationOid} ${relationColumn}`
        const name = rule.columnNames[viewColumn]
        if (name === undefined || shown.get(place)?.includes(name)) continue
        shown.set(place, [...(shown.get(place) ?? []), name])
        relations.add(relationOid)
      }
      return [...relations].flatMap((oid) => (byRelation.get(oid) ?? []).flatMap((key) => viewKeyOf(rule.view, key, shown)))
    })
}

function viewKeyOf(view: QualifiedName, key: KeyColumns, shown: ReadonlyMap<string, readonly string[]>): ViewKey[] {
  const columns = key.numbers.map((number) => [key.names[number] ?? '', shown.get(`${key.oid} ${number}`) ?? []] as const)
  if (columns.some(([, viewColumns]) => viewColumns.length === 0)) return []
  return [{ table: key.table, view, constraint: key.constraint, role: key.role, columns }]
}

