import { functionAmbiguous, functionNotFound } from '#services/rest/errors.ts'
import { findNearest } from '#services/rest/fuzzy.ts'
import type { MediaType } from '#services/rest/request/media-type.ts'
import type { Routine } from '#services/rest/schema-cache/routine.ts'
import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'
import type { QualifiedName } from '#services/rest/schema-cache/table.ts'

export interface RoutineWanted extends QualifiedName {
  /** Names of the arguments sent. */
  argumentNames: readonly string[]
  contentType: MediaType
  isPost: boolean
}

const bodyTypes: Partial<Record<MediaType['kind'], readonly string[]>> = { json: ['json', 'jsonb'], text: ['text'], xml: ['xml'], octets: ['bytea'] }

const isRawBody = ({ isPost, contentType }: RoutineWanted): boolean => isPost && ['text', 'xml', 'octets'].includes(contentType.kind)

function takesBody({ parameters }: Routine, { isPost, contentType }: RoutineWanted): boolean {
  const [only] = parameters
  return isPost && parameters.length === 1 && only!.name === '' && (bodyTypes[contentType.kind] ?? []).includes(only!.type)
}

function takesArguments({ parameters }: Routine, wanted: RoutineWanted): boolean {
  const { argumentNames } = wanted
  if (parameters.length === 0) return argumentNames.length === 0 && !isRawBody(wanted)
  const required = parameters.filter((parameter) => parameter.required)
  return (
    required.every(({ name }) => argumentNames.includes(name)) && argumentNames.every((sent) => parameters.some(({ name }) => name === sent))
  )
}

/**
 * Finds the one overload the arguments fit; one with a single unnamed parameter when none does.
 *
 * @throws PGRST202 (404) for none, PGRST203 (300) for several
 */
export function findRoutine(cache: SchemaCache, wanted: RoutineWanted): Routine {
  const overloads = cache.listRoutines(wanted)
  const fitting = overloads.filter((routine) => takesArguments(routine, wanted))
  const candidates = fitting.length > 0 ? fitting : overloads.filter((routine) => takesBody(routine, wanted))
  if (candidates.length === 1) return candidates[0]!
  throw candidates.length > 1 ? functionAmbiguous(candidates.map(signature)) : missing(cache, wanted, overloads)
}

const signature = ({ schema, name, parameters }: Routine): string =>
  `${schema}.${name}(${parameters.map((parameter) => `${parameter.name} => ${parameter.type}`).join(', ')})`

function describeSearch(wanted: RoutineWanted, sent: readonly string[]): string {
  const named = sent.length === 0 ? ' without parameters' : ` with parameter${sent.length > 1 ? 's' : ''} ${sent.join(', ')}`
  if (!wanted.isPost) return named
  switch (wanted.contentType.kind) {
    case 'text':
      return ' with a single unnamed text parameter'
    case 'xml':
      return ' with a single unnamed xml parameter'
    case 'octets':
      return ' with a single unnamed bytea parameter'
    case 'json':
      return `${named} or with a single unnamed json/jsonb parameter`
    default:
      return named
  }
}

function missing(cache: SchemaCache, wanted: RoutineWanted, overloads: readonly Routine[]): Error {
  const sent = [...wanted.argumentNames].sort()
  const name = `${wanted.schema}.${wanted.name}`
  const called = isRawBody(wanted) ? '' : sent.length === 0 ? ' without parameters' : `(${sent.join(', ')})`
  const suggestion = isRawBody(wanted) ? undefined : suggest(cache, wanted, overloads)
  return functionNotFound({
    message: `Could not find the function ${name}${called} in the schema cache`,
    details: `Searched for the function ${name}${describeSearch(wanted, sent)}, but no matches were found in the schema cache.`,
    ...(suggestion === undefined ? {} : { hint: `Perhaps you meant to call the function ${wanted.schema}.${suggestion}` }),
  })
}

// Other functions' names are told only when the guess was close; parameters of a function that was found are no secret.
const closeEnough = 0.75

function suggest(cache: SchemaCache, { schema, name, argumentNames }: RoutineWanted, overloads: readonly Routine[]): string | undefined {
  if (overloads.length === 0) return findNearest(cache.listRoutineNames(schema), name, closeEnough)
  const listed = (names: readonly string[]): string => `(${[...names].sort().join(', ')})`
  const nearest = findNearest(overloads.map(({ parameters }) => listed(parameters.map((parameter) => parameter.name))), listed(argumentNames))
  return nearest === undefined ? undefined : name + nearest
}
