import type { ArgumentDescription, ColumnDescription, FunctionDescription } from '#features/data/description/description.ts'
import type { Relation } from '#features/data/description/relations.ts'

/** A function's arguments as columns of a row that is only ever added: the same form fits both. */
export function argumentsAsRelation(schema: string, described: FunctionDescription): Relation {
  return {
    schema,
    name: described.name,
    kind: 'table',
    can: { select: false, insert: true, update: false, delete: false },
    columns: described.args.flatMap((argument) => (argument.name === undefined ? [] : [columnFrom(argument.name, argument)])),
  }
}

function columnFrom(name: string, argument: ArgumentDescription): ColumnDescription {
  const { type, base, enum: values, array, optional } = argument
  const constant = readDefault(argument.default)
  return {
    name,
    type,
    base,
    can: 'i',
    ...(values === undefined ? {} : { enum: values, class: 'enum' as const }),
    ...(array === true ? { array } : {}),
    // Null can be given for any argument; one without a default must be given something.
    ...(optional === true ? { default: constant === undefined ? { kind: 'expression' as const } : { kind: 'constant' as const, value: constant } } : { required: true as const, not_null: true as const }),
  }
}

// `'done'`, `5`, `true`; `NULL` is told by its absence.
function readDefault(text: string | undefined): string | undefined {
  if (text === undefined || text === 'NULL') return undefined
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text
}
