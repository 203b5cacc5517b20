/** What a `Prefer` header asks for. */
export interface Preferences {
  resolution?: 'merge-duplicates' | 'ignore-duplicates'
  representation?: 'representation' | 'minimal' | 'headers-only'
  count?: 'exact' | 'planned' | 'estimated'
  transaction?: 'commit' | 'rollback'
  missing?: 'default' | 'null'
  handling?: 'strict' | 'lenient'
  timezone?: string
  maxAffected?: number
  /** Preferences nobody knows, as they were sent. */
  unknown: readonly string[]
}

type Choice = 'resolution' | 'representation' | 'count' | 'transaction' | 'missing' | 'handling'

const words: Readonly<Record<Choice, { name: string; values: readonly string[] }>> = {
  resolution: { name: 'resolution', values: ['merge-duplicates', 'ignore-duplicates'] },
  representation: { name: 'return', values: ['representation', 'minimal', 'headers-only'] },
  count: { name: 'count', values: ['exact', 'planned', 'estimated'] },
  transaction: { name: 'tx', values: ['commit', 'rollback'] },
  missing: { name: 'missing', values: ['default', 'null'] },
  handling: { name: 'handling', values: ['strict', 'lenient'] },
}

const choices = new Map<string, { choice: Choice; value: string }>(
  Object.entries(words).flatMap(([choice, { name, values }]) =>
    values.map((value) => [`${name}=${value}`, { choice: choice as Choice, value }] as const),
  ),
)

export interface PreferenceRules {
  isTimezone(name: string): boolean
  /** Whether `tx=` is heeded: a setting for tests. */
  allowTransaction: boolean
}

const timezonePrefix = 'timezone='
const maxAffectedPrefix = 'max-affected='

/** Reads a `Prefer` header. Of two values for one preference the first holds. */
export function parsePreferences(header: string | null, rules: PreferenceRules): Preferences {
  if (header === null) return { unknown: [] }
  const found: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const part of header.split(',').map((text) => text.trim())) {
    const known = choices.get(part)
    if (known) found[known.choice] ??= known.value
    else if (part.startsWith(timezonePrefix) && rules.isTimezone(part.slice(timezonePrefix.length))) found.timezone ??= part.slice(timezonePrefix.length)
    else if (part.startsWith(maxAffectedPrefix)) found.maxAffected ??= parseCount(part.slice(maxAffectedPrefix.length))
    else unknown.push(part)
  }
  if (!rules.allowTransaction) delete found.transaction
  if (found.maxAffected === undefined) delete found.maxAffected
  return { ...found, unknown }
}

const parseCount = (text: string): number | undefined => (/^-?\d+$/.test(text) ? Number(text) : undefined)

/** The `Preference-Applied` header for the preferences that had a say in a reply. */
export function preferenceApplied(applied: Omit<Preferences, 'unknown'>): string | undefined {
  const shown = [
    applied.resolution && `resolution=${applied.resolution}`,
    applied.missing && `missing=${applied.missing}`,
    applied.representation && `return=${applied.representation}`,
    applied.count && `count=${applied.count}`,
    applied.transaction && `tx=${applied.transaction}`,
    applied.handling && `handling=${applied.handling}`,
    applied.timezone && `timezone=${applied.timezone}`,
    applied.handling === 'strict' && applied.maxAffected !== undefined && `max-affected=${applied.maxAffected}`,
  ].filter((text) => typeof text === 'string')
  return shown.length > 0 ? shown.join(', ') : undefined
}

/** Whether rows are really counted (`planned` asks the planner only). */
export const countsRows = (preferences: Preferences): boolean => preferences.count === 'exact' || preferences.count === 'estimated'

export const asksPlanner = (preferences: Preferences): boolean => preferences.count === 'planned' || preferences.count === 'estimated'
