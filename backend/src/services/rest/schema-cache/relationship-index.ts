import {
  sortRelationships, type ColumnPair, type ComputedRelationship, type KeyRelationship, type Relationship, type ViewKey,
} from './relationship.ts'
import { keyOf, type QualifiedName, type Table } from './table.ts'

export interface ForeignKey {
  table: QualifiedName
  foreignTable: QualifiedName
  isSelf: boolean
  constraint: string
  columns: readonly ColumnPair[]
  oneToOne: boolean
}

export interface RelationshipFacts {
  schemas: readonly string[]
  findTable(name: QualifiedName): Table | undefined
  foreignKeys: readonly ForeignKey[]
  viewKeys: readonly ViewKey[]
  computed: readonly ComputedRelationship[]
}

type Index = Map<string, KeyRelationship[]>

const swap = (pairs: readonly ColumnPair[]): ColumnPair[] => pairs.map(([own, foreign]) => [foreign, own])

const sameName = (one: QualifiedName, other: QualifiedName): boolean => one.schema === other.schema && one.name === other.name

function fromForeignKey({ table, foreignTable, isSelf, constraint, columns, oneToOne }: ForeignKey): KeyRelationship {
  const cardinality = oneToOne
    ? ({ kind: 'one-to-one', constraint, columns, isParent: false } as const)
    : ({ kind: 'many-to-one', constraint, columns } as const)
  return { kind: 'key', table, foreignTable, isSelf, cardinality, tableIsView: false, foreignTableIsView: false }
}

// A view may show a key column twice; every choice of one view column a key column is a key of its own.
function choices(key: ViewKey): string[][] {
  return key.columns.reduce<string[][]>((made, [, shown]) => made.flatMap((columns) => shown.map((name) => [...columns, name])), [[]])
}

interface Found {
  reachable: readonly Relationship[]
  any: boolean
}

interface ViewSide {
  view: QualifiedName
  columns: readonly string[]
}

/** Relationships between relations, worked out for a relation when it is first asked about: thousands of tables cost nothing. */
export class RelationshipIndex {
  readonly #facts: RelationshipFacts
  readonly #byTable: Index = new Map()
  readonly #byForeignTable: Index = new Map()
  readonly #computed = new Map<string, ComputedRelationship[]>()
  readonly #found = new Map<string, Found>()

  constructor(facts: RelationshipFacts) {
    this.#facts = facts
    const viewSides = new Map<string, ViewSide[]>()
    for (const key of facts.viewKeys) {
      const place = `${key.role}\u0000${keyOf(key.table)}\u0000${key.constraint}`
      viewSides.set(place, [...(viewSides.get(place) ?? []), ...choices(key).map((columns) => ({ view: key.view, columns }))])
    }
    for (const foreignKey of facts.foreignKeys) {
      const own = fromForeignKey(foreignKey)
      const refer = viewSides.get(`foreign\u0000${keyOf(foreignKey.table)}\u0000${foreignKey.constraint}`) ?? []
      const referred = viewSides.get(`referenced\u0000${keyOf(foreignKey.foreignTable)}\u0000${foreignKey.constraint}`) ?? []
      for (const relationship of [own, ...throughViews(own, refer, referred)]) this.#add(relationship)
    }
    for (const relationship of facts.computed) {
      const place = keyOf(relationship.table)
      this.#computed.set(place, [...(this.#computed.get(place) ?? []), relationship])
    }
  }

  #add(relationship: KeyRelationship): void {
    for (const [index, name] of [[this.#byTable, relationship.table], [this.#byForeignTable, relationship.foreignTable]] as const) {
      const place = keyOf(name)
      const list = index.get(place)
      if (list) list.push(relationship)
      else index.set(place, [relationship])
    }
  }

  /** Relationships from a relation of an exposed schema to relations of its own schema. */
  listFrom(origin: QualifiedName): readonly Relationship[] {
    return this.#find(origin).reachable
  }

  /** Whether a relation has relationships within its schema, be it through junctions that clients may not see. */
  hasAny(origin: QualifiedName): boolean {
    return this.#find(origin).any
  }

  #find(origin: QualifiedName): Found {
    const place = keyOf(origin)
    const known = this.#found.get(place)
    if (known) return known
    const found = this.#derive(origin)
    this.#found.set(place, found)
    return found
  }

  listNames(schema: string): readonly string[] {
    const names = new Set<string>()
    const ends = [...this.#byTable.values()].flat().flatMap(({ table, foreignTable }) => [table, foreignTable])
    const starts = [...this.#computed.values()].flat().map(({ table }) => table)
    for (const side of [...ends, ...starts]) if (side.schema === schema) names.add(side.name)
    return [...names].filter((name) => this.hasAny({ schema, name }))
  }

  #derive(origin: QualifiedName): Found {
    const isExposed = ({ schema }: QualifiedName): boolean => this.#facts.schemas.includes(schema)
    if (!isExposed(origin)) return { reachable: [], any: false }
    const computed = this.#computed.get(keyOf(origin)) ?? []
    const outward = this.#byTable.get(keyOf(origin)) ?? []
    const inward = this.#byForeignTable.get(keyOf(origin)) ?? []
    const all = [...outward, ...inward.map(inverse), ...inward.flatMap((relationship) => this.#throughJunction(relationship))].filter(
      ({ foreignTable }) => foreignTable.schema === origin.schema,
    )
    // A computed relationship overrides those detected to a relation of its function's name.
    const detected = all
      .filter(({ foreignTable }) => !computed.some((relationship) => sameName(relationship.function, foreignTable)))
      .filter(({ cardinality }) => cardinality.kind !== 'many-to-many' || isExposed(cardinality.junction.table))
    const reachable = [...sortRelationships(detected), ...computed.filter(({ foreignTable }) => foreignTable.schema === origin.schema)]
    return { reachable, any: reachable.length > 0 || all.length > 0 }
  }

  // A table whose primary key holds two foreign keys joins what they refer to.
  #throughJunction(near: KeyRelationship): KeyRelationship[] {
    if (near.cardinality.kind !== 'many-to-one') return []
    const { constraint: constraint1, columns: source } = near.cardinality
    const primaryKey = this.#facts.findTable(near.table)?.primaryKey ?? []
    const siblings = this.#byTable.get(keyOf(near.table)) ?? []
    return siblings.flatMap((far): KeyRelationship[] => {
      if (far.cardinality.kind !== 'many-to-one' || far.cardinality.constraint === constraint1) return []
      const { constraint: constraint2, columns: target } = far.cardinality
      if (![...source, ...target].every(([own]) => primaryKey.includes(own))) return []
      const junction = { table: near.table, constraint1, constraint2, source: swap(source), target: swap(target) }
      return [{
        kind: 'key', table: near.foreignTable, foreignTable: far.foreignTable, isSelf: sameName(near.foreignTable, far.foreignTable),
        cardinality: { kind: 'many-to-many', junction }, tableIsView: near.foreignTableIsView, foreignTableIsView: far.foreignTableIsView,
      }]
    })
  }
}

function inverse(relationship: KeyRelationship): KeyRelationship {
  const { cardinality } = relationship
  const turned: KeyRelationship = {
    ...relationship, table: relationship.foreignTable, foreignTable: relationship.table,
    tableIsView: relationship.foreignTableIsView, foreignTableIsView: relationship.tableIsView,
  }
  if (cardinality.kind === 'one-to-one') {
    return { ...turned, cardinality: { ...cardinality, columns: swap(cardinality.columns), isParent: !cardinality.isParent } }
  }
  if (cardinality.kind === 'many-to-many') return turned
  return { ...turned, cardinality: { kind: 'one-to-many', constraint: cardinality.constraint, columns: swap(cardinality.columns) } }
}

// View to table, table to view, view to view.
function throughViews(own: KeyRelationship, refer: readonly ViewSide[], referred: readonly ViewSide[]): KeyRelationship[] {
  const { cardinality } = own
  if (cardinality.kind === 'many-to-many') return []
  const between = (near: ViewSide | undefined, far: ViewSide | undefined): KeyRelationship => ({
    ...own,
    table: near?.view ?? own.table,
    foreignTable: far?.view ?? own.foreignTable,
    isSelf: near !== undefined && far !== undefined && sameName(near.view, far.view),
    cardinality: {
      ...cardinality,
      columns: cardinality.columns.map(([column, foreign], index): ColumnPair => [near?.columns[index] ?? column, far?.columns[index] ?? foreign]),
    },
    tableIsView: near !== undefined,
    foreignTableIsView: far !== undefined,
  })
  return [
    ...refer.map((near) => between(near, undefined)),
    ...referred.map((far) => between(undefined, far)),
    ...refer.flatMap((near) => referred.map((far) => between(near, far))),
  ]
}
