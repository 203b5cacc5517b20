import type { MediaHandler } from './media-handlers.ts'
import { RelationshipIndex } from './relationship-index.ts'
import type { Relationship } from './relationship.ts'
import type { Routine } from './routine.ts'
import { keyOf, type QualifiedName, type Table } from './table.ts'

/** What the catalog said when it was last read; everything planning needs to know about the database. */
export interface SchemaCache {
  /** A relation of an exposed schema. */
  findTable(name: QualifiedName): Table | undefined
  /** Names of an exposed schema's relations. */
  listTableNames(schema: string): readonly string[]
  listTables(schema: string): readonly Table[]
  /** Relationships from a relation to others that clients may reach. */
  listRelationships(origin: QualifiedName): readonly Relationship[]
  /** Whether a relation has any, reachable or not. */
  hasRelationships(origin: QualifiedName): boolean
  /** Relations of a schema that have any relationship. */
  listRelatedNames(schema: string): readonly string[]
  /** Overloads, those with fewer parameters first. */
  listRoutines(name: QualifiedName): readonly Routine[]
  listRoutineNames(schema: string): readonly string[]
  /** Function (as SQL) that turns a value of one type into another's, where one of them is a domain. */
  findRepresentation(source: string, target: string): string | undefined
  /** `target` undefined: the handler for any row. */
  findMediaHandler(target: QualifiedName | undefined, mediaName: string): MediaHandler | undefined
}

export interface SchemaFacts {
  schemas: readonly string[]
  tables: readonly Table[]
  relationships: RelationshipIndex
  routines: readonly Routine[]
  /** By source and target type, see `representationKey`. */
  representations: ReadonlyMap<string, string>
  mediaHandlers: readonly MediaHandler[]
}

export const representationKey = (source: string, target: string): string => `${source}\u0000${target}`

const groupBy = <T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return groups
}

const handlerKey = (target: QualifiedName | undefined, mediaName: string): string => `${target ? keyOf(target) : ''}\u0000${mediaName}`

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const parameterNames = ({ parameters }: Routine): string => parameters.map(({ name, type }) => `${name}\u0000${type}`).join('\u0001')

export function makeSchemaCache(facts: SchemaFacts): SchemaCache {
  const exposed = facts.tables.filter(({ schema }) => facts.schemas.includes(schema))
  const tables = new Map(exposed.map((table) => [keyOf(table), table]))
  const bySchema = groupBy(exposed, ({ schema }) => schema)
  const routines = groupBy(
    [...facts.routines].sort(
      (one, other) => one.parameters.length - other.parameters.length || compareText(parameterNames(one), parameterNames(other)),
    ),
    keyOf,
  )
  const handlers = new Map(facts.mediaHandlers.map((handler) => [handlerKey(handler.target, handler.media), handler]))
  return {
    findTable: (name) => tables.get(keyOf(name)),
    listTableNames: (schema) => (bySchema.get(schema) ?? []).map(({ name }) => name),
    listTables: (schema) => bySchema.get(schema) ?? [],
    listRelationships: (origin) => facts.relationships.listFrom(origin),
    hasRelationships: (origin) => facts.relationships.hasAny(origin),
    listRelatedNames: (schema) => facts.relationships.listNames(schema),
    listRoutines: (name) => routines.get(keyOf(name)) ?? [],
    listRoutineNames: (schema) => [...new Set(facts.routines.filter((routine) => routine.schema === schema).map(({ name }) => name))],
    findRepresentation: (source, target) => facts.representations.get(representationKey(source, target)),
    findMediaHandler: (target, mediaName) => handlers.get(handlerKey(target, mediaName)),
  }
}
