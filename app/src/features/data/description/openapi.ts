import type { ColumnDescription, Description, FunctionDescription, HiddenForeignKey, ForeignKey, RelationDescription, TypeDescription } from './description.ts'

interface Property {
  format?: string
  type?: string
  description?: string
  enum?: string[]
  maxLength?: number
  default?: unknown
  items?: { type?: string }
}

interface Definition {
  required?: string[]
  properties?: Record<string, Property>
  description?: string
}

interface OpenApi {
  swagger?: string
  definitions?: Record<string, Definition>
  paths?: Record<string, Record<string, { parameters?: unknown[] } | undefined> | undefined>
}

/** What the data API's own root tells: older installations answer it to everyone. Undefined when it is something else. */
export function describeFromOpenApi(answer: unknown, schema: string, role: string): Description | undefined {
  const root = answer as OpenApi | null
  if (typeof root !== 'object' || root?.swagger === undefined || root.definitions === undefined) return undefined
  const types: Record<string, TypeDescription> = {}
  const relations = Object.entries(root.definitions).map(([name, definition]) => relationFrom({ name, definition, schema, types, methods: root.paths?.[`/${name}`] ?? {} }))
  return { format: 1, fingerprint: '', server: { version: 0, role }, types, schemas: [{ name: schema, relations: withReferences(relations, schema), functions: functionsFrom(root) }] }
}

interface Found {
  name: string
  definition: Definition
  schema: string
  types: Record<string, TypeDescription>
  methods: Record<string, unknown>
}

function relationFrom({ name, definition, schema, types, methods }: Found): RelationDescription {
  const properties = Object.entries(definition.properties ?? {})
  const primaryKey = properties.filter(([, { description }]) => description?.includes('<pk/>') === true).map(([column]) => column)
  const fks = properties.flatMap(([column, { description }]): (ForeignKey | HiddenForeignKey)[] => {
    const target = /<fk table='([^']+)' column='([^']+)'\/>/.exec(description ?? '')
    return target?.[1] !== undefined && target[2] !== undefined ? [{ name: '', columns: [column], schema, table: target[1], to: [target[2]] }] : []
  })
  const can = { select: 'get' in methods, insert: 'post' in methods, update: 'patch' in methods, delete: 'delete' in methods }
  return {
    name,
    kind: can.insert ? 'table' : 'view',
    can,
    ...(definition.description === undefined ? {} : { comment: definition.description }),
    ...(primaryKey.length > 0 ? { primary_key: primaryKey } : {}),
    ...(fks.length > 0 ? { fks } : {}),
    columns: properties.map(([column, property]) => columnFrom(column, property, { required: definition.required?.includes(column) === true, types })),
  }
}

function columnFrom(name: string, property: Property, { required, types }: { required: boolean; types: Record<string, TypeDescription> }): ColumnDescription {
  const format = property.format ?? property.type ?? 'text'
  const array = format.endsWith('[]')
  const element = format.replace(/\[\]$/, '')
  const type = element.replace(/\(.*$/, '')
  if (property.enum) types[type] = { kind: 'enum', values: property.enum }
  const comment = property.description?.replace(/(^|\n)Note:\n[\s\S]*$/, '').trim()
  return {
    name,
    type: format,
    base: bases[type] ?? type,
    can: 'siu',
    ...(property.enum ? { enum: type, class: 'enum' as const } : {}),
    ...(array ? { array: true as const } : {}),
    // The root lists as required what is not null, whether or not a default fills it.
    ...(required ? { not_null: true as const } : {}),
    ...(required && property.default === undefined && property.description?.includes('<pk/>') !== true ? { required: true as const } : {}),
    ...(property.maxLength === undefined ? {} : { max_length: property.maxLength }),
    ...(property.default === undefined ? {} : { default: { kind: 'expression' as const } }),
    ...(comment ? { comment } : {}),
  }
}

const bases: Record<string, string> = {
  bigint: 'int8', integer: 'int4', smallint: 'int2', boolean: 'bool', 'character varying': 'varchar', character: 'bpchar',
  'double precision': 'float8', real: 'float4', 'timestamp with time zone': 'timestamptz', 'timestamp without time zone': 'timestamp',
  'time with time zone': 'timetz', 'time without time zone': 'time', number: 'numeric', string: 'text',
}

// The root knows keys from one side only; related lists need the other.
function withReferences(relations: RelationDescription[], schema: string): RelationDescription[] {
  return relations.map((relation) => {
    const pointing = relations.flatMap(({ name, fks }) =>
      (fks ?? []).flatMap((fk) => (fk.hidden !== true && fk.table === relation.name ? [{ name: '', schema, table: name, columns: fk.columns, to: fk.to }] : [])))
    return pointing.length > 0 ? { ...relation, referenced_by: pointing } : relation
  })
}

function functionsFrom(root: OpenApi): FunctionDescription[] {
  return Object.entries(root.paths ?? {}).flatMap(([path, methods]) => {
    const name = /^\/rpc\/(.+)$/.exec(path)?.[1]
    if (name === undefined) return []
    const body = methods?.['post']?.parameters?.find(isBody)
    const args = Object.entries(body?.schema.properties ?? {}).map(([argument, { format = 'text' }]) => ({
      name: argument,
      type: format,
      base: bases[format] ?? format,
      ...(body?.schema.required?.includes(argument) === true ? {} : { optional: true as const }),
    }))
    const method = methods?.['get'] ? 'GET' as const : 'POST' as const
    return [{ name, method, volatility: method === 'GET' ? 'stable' as const : 'volatile' as const, args, returns: { type: '' } }]
  })
}

const isBody = (parameter: unknown): parameter is { schema: Definition } =>
  typeof parameter === 'object' && parameter !== null && 'schema' in parameter && (parameter as { in?: string }).in === 'body'
