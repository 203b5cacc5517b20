/** Postgres' types as Swagger 2.0 names them. */

export interface SwaggerProperty {
  type?: string
  format?: string
  items?: { type?: string }
  description?: string
  default?: unknown
  maxLength?: number
  enum?: readonly string[]
}

// Maps, as a project may name a type of its own anything, `constructor` included.
const types = new Map(Object.entries({
  'character varying': 'string', character: 'string', text: 'string', boolean: 'boolean', smallint: 'integer', integer: 'integer', bigint: 'integer',
  numeric: 'number', real: 'number', 'double precision': 'number', json: undefined, jsonb: undefined,
}))

const formats = new Map(Object.entries({ smallint: 'int32', integer: 'int32', bigint: 'int64' }))

const isArray = (type: string): boolean => type.endsWith('[]')

export const elementType = (type: string): string => type.slice(0, -2)

/** Undefined for json, which may be anything. */
export const swaggerType = (type: string): string | undefined => (types.has(type) ? types.get(type) : isArray(type) ? 'array' : 'string')

export const swaggerFormat = (type: string): string => formats.get(type) ?? type

export function swaggerProperty(type: string): SwaggerProperty {
  const named = swaggerType(type)
  const element = named === 'array' ? swaggerType(elementType(type)) : undefined
  return {
    format: swaggerFormat(type),
    ...(named === undefined ? {} : { type: named }),
    ...(named === 'array' ? { items: element === undefined ? {} : { type: element } } : {}),
  }
}

/** A default's SQL as a JSON value, where it is a plain constant. */
export function swaggerDefault(type: string, defaultSql: string): unknown {
  const cast = `::${type}`
  const bare = defaultSql.endsWith(cast) ? defaultSql.slice(0, -cast.length).replace(/^'+|'+$/g, '') : defaultSql
  const json = swaggerType(type) === 'string' ? `"${bare}"` : defaultSql
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
