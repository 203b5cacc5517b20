import type { Payload } from '#services/rest/request/payload.ts'
import type { Parameter, Routine } from '#services/rest/schema-cache/routine.ts'
import type { ReadPlan } from './read-plan.ts'
import { filteredColumns, returnedColumns } from './returned-columns.ts'

export type CallArguments =
  /** The body's JSON text, or the arguments of the query as such. */
  | { kind: 'json'; text: string; isObject: boolean }
  | { kind: 'direct'; values: ReadonlyMap<string, string | readonly string[]> }
  | { kind: 'raw'; bytes: Uint8Array }

export interface CallPlan {
  routine: Routine
  /** The one unnamed parameter that takes the whole body; else the named parameters sent. */
  parameters: { whole: Parameter } | { named: readonly Parameter[] }
  arguments: CallArguments
  returning: readonly string[]
}

/** Arguments sent as pairs: repeated ones make an array for a variadic parameter, else the last holds. */
function directArguments({ parameters }: Routine, pairs: readonly (readonly [string, string])[]): CallArguments {
  const values = new Map<string, string | readonly string[]>()
  for (const [name, value] of pairs) {
    const isVariadic = parameters.some((parameter) => parameter.variadic && parameter.name === name)
    values.set(name, isVariadic ? [...((values.get(name) as readonly string[] | undefined) ?? []), value] : value)
  }
  return { kind: 'direct', values }
}

function argumentsOf(routine: Routine, sent: Sent): CallArguments {
  if ('pairs' in sent) return directArguments(routine, sent.pairs)
  const { payload } = sent
  switch (payload?.kind) {
    case 'pairs':
      return directArguments(routine, payload.pairs)
    case 'raw':
      return payload
    case 'json':
      return payload
    case undefined:
      return { kind: 'json', text: '{}', isObject: true }
  }
}

export type Sent = { pairs: readonly (readonly [string, string])[] } | { payload: Payload | undefined }

export interface CallWanted {
  routine: Routine
  sent: Sent
  /** Names of the arguments sent. */
  argumentNames: readonly string[]
  read: ReadPlan
}

export function planCall({ routine, sent, argumentNames, read }: CallWanted): CallPlan {
  const [first] = routine.parameters
  const whole = routine.parameters.length === 1 && first!.name === '' ? first : undefined
  const returned = returnedColumns(read, [])
  return {
    routine,
    parameters: whole ? { whole } : { named: routine.parameters.filter(({ name }) => argumentNames.includes(name)) },
    arguments: argumentsOf(routine, sent),
    returning: returned.length === 0 || returned[0] === '*' ? ['*'] : [...new Set([...returned, ...filteredColumns(read)])],
  }
}
