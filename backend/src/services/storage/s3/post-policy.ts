import { accessDenied, expiredSignature, invalidSignature } from './errors.ts'

/** Size limits a policy sets for the posted file, both ends included. */
export interface PolicyVerdict {
  leastBytes: number
  mostBytes: number
}

// Everything else that is posted must be named by the policy: else whoever holds a signed form could add to it.
const needsNoCondition = new Set(['policy', 'x-amz-signature', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-security-token', 'file'])

interface Policy {
  expiration: unknown
  conditions: unknown
}

function parse(encoded: string): Policy {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
    if (typeof value === 'object' && value !== null && 'expiration' in value && 'conditions' in value) return value
  } catch {
    // Said below.
  }
  throw invalidSignature('Invalid POST policy')
}

interface Condition {
  field: string
  holds(value: string | undefined): boolean
}

function readTuple([operator, target, value]: readonly unknown[]): Condition {
  if ((operator !== 'eq' && operator !== 'starts-with') || typeof target !== 'string' || !target.startsWith('$') || typeof value !== 'string') {
    throw invalidSignature('Unsupported policy condition')
  }
  const holds = operator === 'eq' ? (given: string | undefined) => given === value : (given: string | undefined) => given?.startsWith(value) === true
  return { field: target.slice(1).toLowerCase(), holds }
}

function readCondition(condition: unknown): Condition {
  if (Array.isArray(condition)) return readTuple(condition)
  const [entry, ...others] = typeof condition === 'object' && condition !== null ? Object.entries(condition) : []
  if (!entry || others.length > 0) throw invalidSignature('Unsupported policy condition')
  const [name, value] = entry
  return { field: name.toLowerCase(), holds: (given) => given !== undefined && given === String(value) }
}

const isLengthRange = (condition: unknown): condition is ['content-length-range', unknown, unknown] =>
  Array.isArray(condition) && condition[0] === 'content-length-range'

function readLengthRange(conditions: readonly unknown[]): PolicyVerdict {
  const verdict = { leastBytes: 0, mostBytes: Number.MAX_SAFE_INTEGER }
  for (const [, least, most] of conditions.filter(isLengthRange)) {
    if (!Number.isSafeInteger(Number(least)) || !Number.isSafeInteger(Number(most))) throw invalidSignature('Unsupported policy condition')
    verdict.leastBytes = Math.max(verdict.leastBytes, Number(least))
    verdict.mostBytes = Math.min(verdict.mostBytes, Number(most))
  }
  return verdict
}

/**
 * Judges a posted form by the policy it was signed with.
 *
 * @param fields by lower-case name, `bucket` of the URL among them, the file left out.
 * @throws `ExpiredToken` or `InvalidSignature` (400), `AccessDenied` (403) naming the field.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */
export function judgePostPolicy(encoded: string, fields: ReadonlyMap<string, string>, nowMs: number): PolicyVerdict {
  const { expiration, conditions } = parse(encoded)
  const expiresAt = typeof expiration === 'string' ? Date.parse(expiration) : Number.NaN
  if (Number.isNaN(expiresAt)) throw invalidSignature('Invalid policy expiration')
  if (expiresAt <= nowMs) throw expiredSignature()
  if (!Array.isArray(conditions)) throw invalidSignature('Invalid policy conditions')
  const covered = new Set<string>()
  for (const { field, holds } of conditions.filter((condition) => !isLengthRange(condition)).map(readCondition)) {
    if (!holds(fields.get(field))) throw accessDenied(`Policy condition failed: "${field}" does not match`)
    covered.add(field)
  }
  for (const field of fields.keys()) {
    if (covered.has(field) || needsNoCondition.has(field) || field.startsWith('x-ignore-')) continue
    throw accessDenied(`Policy condition failed: field "${field}" is not covered by the policy`)
  }
  return readLengthRange(conditions)
}
