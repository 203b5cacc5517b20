import { z } from 'zod'

// Values that came out of `env(…)` are text, whatever their type should be.

export const flag = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  if (/^(true|1|t|yes)$/i.test(value)) return true
  return /^(false|0|f|no)$/i.test(value) ? false : value
}, z.boolean())

export const count = z.preprocess(
  (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
  z.number().int().nonnegative(),
)

export const port = count.pipe(z.number().max(65_535))

/** A list, also written as one text with commas. */
export const texts = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((part) => part.trim()).filter((part) => part !== '') : value),
  z.array(z.string()),
)

const unitMs: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Reads a Go duration, `1h30m` or `5s`, as milliseconds; undefined when it is none. */
export function parseDurationMs(text: string): number | undefined {
  if (text === '0') return 0
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)].reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ''] ?? 0), 0)
}

const unitBytes: Record<string, number> = { '': 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }

/** Reads `50MiB`, `5MB`, `500KB` or a number as bytes, 1,024 to the step as the CLI does; undefined when it is none. */
export function parseSizeBytes(text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)\s*(?:([kmgt])i?)?b?$/i.exec(text.trim())
  if (!found) return undefined
  return Math.floor(Number(found[1]) * (unitBytes[(found[2] ?? '').toLowerCase()] ?? 1))
}

const read = (parse: (text: string) => number | undefined, example: string) =>
  z.union([z.string(), z.number()]).transform((value, context) => {
    const parsed = parse(String(value))
    if (parsed !== undefined) return parsed
    context.issues.push({ code: 'custom', message: `expected ${example}, got "${value}"`, input: value })
    return z.NEVER
  })

export const duration = read(parseDurationMs, 'a duration like "1h30m" or "5s"')
export const size = read(parseSizeBytes, 'a size like "50MiB"')
