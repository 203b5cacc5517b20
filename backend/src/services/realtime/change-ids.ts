import { createHash } from 'node:crypto'

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]))
}

/** The id a join's reply gives to what was asked: 27 bits, never 0, the same for the same. Clients find their callbacks by it. */
export const hashOf = (asked: Readonly<Record<string, unknown>>): number =>
  (createHash('sha256').update(JSON.stringify(sorted(asked))).digest().readUInt32BE() >>> 5) || 1
