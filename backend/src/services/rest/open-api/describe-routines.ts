import type { Parameter, Routine } from '#services/rest/schema-cache/routine.ts'
import { ref, splitComment } from './describe-tables.ts'
import { elementType, swaggerFormat, swaggerProperty, swaggerType } from './swagger-types.ts'

export interface RoutineDetails {
  routine: Routine
  comment: string | null
}

export const rowMedia = ['application/json', 'application/vnd.pgrst.object+json;nulls=stripped', 'application/vnd.pgrst.object+json']

// Arrays are written as text in a query, and so is what may be anything.
function queryType(type: string): string {
  const named = swaggerType(type)
  return named === undefined || named === 'array' ? 'string' : named
}

function queryParameter({ name, type, required, variadic }: Parameter): unknown {
  const common = { name, required, in: 'query' }
  if (!variadic) return { ...common, type: queryType(type), format: swaggerFormat(type) }
  const element = elementType(type)
  return {
    ...common, type: swaggerType(type) ?? 'string', collectionFormat: 'multi', items: { type: swaggerType(element), format: swaggerFormat(element) },
  }
}

function bodyParameter({ parameters }: Routine, comment: string | null): unknown {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    name: 'args', required: true, in: 'body',
    schema: {
      type: 'object',
      ...(comment === null ? {} : { description: comment }),
      properties: Object.fromEntries(parameters.map(({ name, type }) => [name, swaggerProperty(type)])),
      ...(required.length > 0 ? { required } : {}),
    },
  }
}

export function describeCall({ routine, comment }: RoutineDetails): unknown {
  const common = { tags: [`(rpc) ${routine.name}`], ...splitComment(comment), produces: rowMedia, responses: { 200: { description: 'OK' } } }
  const post = { ...common, parameters: [bodyParameter(routine, comment), ref('parameters', 'preferParams')] }
  if (routine.volatility === 'volatile') return { post }
  const parameters = routine.parameters.map(queryParameter)
  return { get: { ...common, ...(parameters.length > 0 ? { parameters } : {}) }, post }
}
