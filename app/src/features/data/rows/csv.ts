/** Writes rows as RFC 4180 CSV, with a byte order mark so that spreadsheets read it as UTF-8. */
export function toCsv(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return `\uFEFF${[header, ...rows].map((cells) => cells.map(cell).join(',')).join('\r\n')}\r\n`
}

/** Rows for the clipboard: tabs between cells, as spreadsheets paste them. */
export function toTabs(rows: readonly (readonly unknown[])[]): string {
  return rows.map((cells) => cells.map((value) => guarded(value).replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n')
}

function cell(value: unknown): string {
  const text = guarded(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The value as text, with an apostrophe before what a spreadsheet would run as a formula. */
export function guarded(value: unknown): string {
  const text = plainText(value)
  const isNumber = /^[+-]?\d+([.,]\d+)*(e[+-]?\d+)?$/i.test(text)
  return /^[=+\-@\t\r]/.test(text) && !isNumber ? `'${text}` : text
}

/** The value as the project holds it: JSON for objects and arrays, nothing for null. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
