/**
 * Turns a timestamp as Postgres writes it into the form the API answers: `2026-11-20 15:00:00.12+00` and
 * `2026-11-20T15:00:00.12+00:00` into `2026-11-20T15:00:00.12Z`. A value without a zone is taken as UTC.
 */
export function isoMoment(text: string): string {
  const parts = /^(\d{4,}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|([+-]\d\d)(?::?(\d\d))?(?::?\d\d)?)?$/.exec(text)
  if (!parts) return text
  const [, day, time, hours, minutes] = parts
  const offset = hours === undefined || (Number(hours) === 0 && Number(minutes ?? 0) === 0) ? 'Z' : `${hours}:${minutes ?? '00'}`
  if (offset === 'Z') return `${day}T${time}Z`
  return new Date(`${day}T${time}${offset}`).toISOString()
}

/** Milliseconds since the Unix epoch of a timestamp as Postgres writes it. */
export const momentMs = (text: string): number => Date.parse(isoMoment(text))

/** Whether a moment lies more than so many seconds before now. */
export const isOlderThan = (text: string, seconds: number, nowMs: number): boolean => nowMs > momentMs(text) + seconds * 1000
