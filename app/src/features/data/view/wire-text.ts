/** A name in a select list, an order or a filter; quoted when it holds more than letters, digits and underscores. */
export const columnName = (name: string): string => (name === '*' || /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)

/** A column, or with a path the text a JSON column holds there: `details->a->>b`. Steps are joined by dots. */
export function columnPath(name: string, path = ''): string {
  const steps = path.split('.').map((step) => step.trim()).filter((step) => step !== '').map((step) => (/^\d+$/.test(step) ? step : columnName(step)))
  const last = steps.pop()
  return last === undefined ? columnName(name) : [columnName(name), ...steps].join('->') + `->>${last}`
}

/** A value inside `in.(…)`, `or=(…)` and the like. */
export const quoted = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** `{"a","b"}` */
export const arrayLiteral = (items: readonly string[]): string => `{${items.map(quoted).join(',')}}`

/** The text itself inside a `like` pattern. */
export const likePattern = (text: string): string => text.replace(/[\\%_]/g, (mark) => `\\${mark}`)

/** The text itself inside a Postgres pattern. */
export const regexPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, (mark) => `\\${mark}`)
