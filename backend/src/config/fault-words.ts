import type { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  array: 'a list',
  object: 'a section of its own',
  record: 'a section of its own',
}

const kindOf = (value: unknown): string => {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'a number'
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  return value instanceof Date ? 'a date' : 'a section'
}

/** Says what a place should hold, in the words of whoever writes the file, and never what it holds: that may be a secret. */
export function sayIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'has no value' : `expected ${kinds[issue.expected] ?? issue.expected}, got ${kindOf(issue.input)}`
    case 'invalid_value':
      return `expected ${issue.values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value))).join(' or ')}`
    case 'too_big':
      return `expected at most ${issue.maximum}`
    case 'too_small':
      return `expected at least ${issue.minimum}`
    case 'invalid_format':
      return issue.format === 'url' ? 'expected an address like https://api.example.com' : undefined
    case 'invalid_union':
      return 'expected text or a number'
    default:
      return undefined
  }
}
