const unitMs: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, 'µs': 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Reads a span as Go writes it: `24h`, `1h30m`, `300ms`. Milliseconds; undefined when it is none. */
export function goDurationMs(text: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return text === '0' ? 0 : undefined
  const parts = text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/g)
  const total = [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ''] ?? 0), 0)
  return text.startsWith('-') ? -total : total
}
