import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'
import type { Column, Table } from '#services/rest/schema-cache/table.ts'
import { swaggerDefault, swaggerProperty, type SwaggerProperty } from './swagger-types.ts'

/** `[comment, is nullable, longest length, enum labels]` */
export type ColumnDetails = readonly [comment: string | null, nullable: boolean, maxLength: number | null, labels: readonly string[] | null]

export interface TableDetails {
  table: Table
  comment: string | null
  columns: Readonly<Record<string, ColumnDetails>>
}

const listColumns = ({ table }: TableDetails): Column[] => [...table.columns.values()]

export const ref = (kind: 'definitions' | 'parameters', name: string): { $ref: string } => ({ $ref: `#/${kind}/${name}` })

// What the column refers to: a table rather than a view of it.
function foreignKeyNote(cache: SchemaCache, table: Table, column: string): string | undefined {
  const found = cache
    .listRelationships(table)
    .filter((relationship) => relationship.kind === 'key')
    .sort((one, other) => Number(one.foreignTableIsView) - Number(other.foreignTableIsView))
    .find(({ cardinality }) => {
      const refers = cardinality.kind === 'many-to-one' || (cardinality.kind === 'one-to-one' && !cardinality.isParent)
      return refers && cardinality.columns.length === 1 && cardinality.columns[0]![0] === column
    })
  if (!found || found.cardinality.kind === 'many-to-many') return undefined
  const { name } = found.foreignTable
  const foreign = found.cardinality.columns[0]![1]
  return `This is a Foreign Key to \`${name}.${foreign}\`.<fk table='${name}' column='${foreign}'/>`
}

function describeColumn(cache: SchemaCache, { table, columns }: TableDetails, column: Column): SwaggerProperty {
  const [comment, , maxLength, labels] = columns[column.name] ?? [null, true, null, null]
  const notes = [table.primaryKey.includes(column.name) ? 'This is a Primary Key.<pk/>' : undefined, foreignKeyNote(cache, table, column.name)]
    .filter((note) => note !== undefined)
  const note = notes.length > 0 ? ['Note:', ...notes].join('\n') : undefined
  const description = note === undefined ? comment : comment === null ? note : `${comment}\n\n${note}`
  const defaultValue = column.default === undefined ? undefined : swaggerDefault(column.type, column.default)
  return {
    ...swaggerProperty(column.type),
    ...(description === null ? {} : { description }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(maxLength === null ? {} : { maxLength }),
    ...(labels === null ? {} : { enum: labels }),
  }
}

export function describeRows(cache: SchemaCache, details: TableDetails): unknown {
  const columns = listColumns(details)
  const required = columns.filter(({ name }) => details.columns[name]?.[1] === false).map(({ name }) => name)
  return {
    type: 'object',
    ...(details.comment === null ? {} : { description: details.comment }),
    properties: Object.fromEntries(columns.map((column) => [column.name, describeColumn(cache, details, column)])),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** A comment's first line, and the rest without the blank lines between. */
export function splitComment(comment: string | null): { summary?: string; description?: string } {
  if (comment === null) return {}
  const [summary = '', ...rest] = comment.split('\n')
  const description = rest.join('\n').replace(/^\n+/, '')
  return { summary, ...(description === '' ? {} : { description }) }
}

const answer = (description: string): { description: string } => ({ description })

export function describePath(details: TableDetails): unknown {
  const { table, comment } = details
  const { name } = table
  const common = { tags: [name], ...splitComment(comment) }
  const filters = listColumns(details).map((column) => `rowFilter.${name}.${column.name}`)
  const parameters = (...names: readonly string[]): unknown[] => names.map((parameter) => ref('parameters', parameter))
  const get = {
    ...common,
    parameters: parameters(...filters, 'select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'),
    responses: { 200: { description: 'OK', schema: { type: 'array', items: ref('definitions', name) } }, 206: answer('Partial Content') },
  }
  if (!table.insertable && !table.updatable && !table.deletable) return { get }
  return {
    get,
    post: { ...common, parameters: parameters(`body.${name}`, 'select', 'preferPost'), responses: { 201: answer('Created') } },
    patch: { ...common, parameters: parameters(...filters, `body.${name}`, 'preferReturn'), responses: { 204: answer('No Content') } },
    delete: { ...common, parameters: parameters(...filters, 'preferReturn'), responses: { 204: answer('No Content') } },
  }
}

export function describeParameters(details: TableDetails): [string, unknown][] {
  const { table: { name }, columns } = details
  const body = { name, description: name, required: false, in: 'body', schema: ref('definitions', name) }
  const filters = listColumns(details).map((column): [string, unknown] => {
    const comment = columns[column.name]?.[0] ?? null
    return [
      `rowFilter.${name}.${column.name}`,
      { name: column.name, ...(comment === null ? {} : { description: comment }), required: false, in: 'query', type: 'string' },
    ]
  })
  return [[`body.${name}`, body], ...filters]
}
