/** Postgres' text form of an array; as one parameter it takes the type of what it is compared with. */
export function arrayText(values: readonly string[]): string {
  // A lone empty element is an empty list: `id=in.()`.
  if (values.length === 1 && values[0] === '') return '{}'
  const escaped = values.map((value) => `"${value.replaceAll('\0', '').replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)
  return `{${escaped.join(',')}}`
}

/** A pattern of `like` as Postgres writes it: `*` stands for `%`, which URLs need encoded. */
export const patternText = (text: string): string => text.replaceAll('*', '%')
