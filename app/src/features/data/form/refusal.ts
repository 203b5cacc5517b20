import type { AppError } from '#api/app-error.ts'
import type { Relation } from '#features/data/description/relations.ts'
import { findColumn } from '#features/data/description/relations.ts'

/** Why the project did not take a write, and which field it is about. */
export type RefusalReason =
  | 'missing'
  | 'taken'
  | 'unknown-row'
  | 'still-used'
  | 'check'
  | 'too-long'
  | 'out-of-range'
  | 'unreadable'
  /** Row-level policies or grants. */
  | 'policy'
  /** A rule of the project's own raised it, with words of its own. */
  | 'own-words'
  | 'generated'

export interface Refusal {
  reason: RefusalReason
  /** Fields it belongs to; empty when it belongs to none. */
  columns: string[]
  /** The project's own words, where they are meant for people. */
  words?: string
}

/** Reads a refused write by its SQLSTATE. Undefined when it is no refusal but a failure: no network, no session, no time. */
export function readRefusal(relation: Relation, error: AppError): Refusal | undefined {
  const named = namedColumn(relation, error)
  switch (error.code) {
    case '23502': return { reason: 'missing', columns: named }
    case '23505': return { reason: 'taken', columns: orConstraint(relation, error, keyColumnsIn(relation, error.details)) }
    case '23001': return { reason: 'still-used', columns: [] }
    case '23503': return foreignKeyRefusal(relation, error)
    case '23514': return checkRefusal(relation, error, named)
    case '22001': return { reason: 'too-long', columns: tooLong(relation, error) }
    case '22003': return { reason: 'out-of-range', columns: named }
    case '428C9': return { reason: 'generated', columns: named }
    case '42501': return policyRefusal(error)
  }
  if (/^(22|P0001|PT4)/.test(error.code)) return error.code.startsWith('22') ? { reason: 'unreadable', columns: named, words: error.message } : { reason: 'own-words', columns: named, words: error.message }
  return undefined
}

// Postgres' own refusals name the table or policy; other words come from a rule somebody wrote.
function policyRefusal(error: AppError): Refusal {
  const isOwn = !/^(permission denied|new row violates row-level security|must be owner|query would be affected by row-level)/.test(error.message)
  return isOwn && error.message !== '' ? { reason: 'own-words', columns: [], words: error.message } : { reason: 'policy', columns: [] }
}

function checkRefusal(relation: Relation, error: AppError, named: string[]): Refusal {
  const constraint = constraintIn(error)
  const check = relation.checks?.find(({ name }) => name === constraint)
  if (check) return { reason: 'check', columns: check.columns.filter((column) => findColumn(relation, column)) }
  if (constraint === undefined) return { reason: 'own-words', columns: named, words: error.message }
  return { reason: 'check', columns: named }
}

function foreignKeyRefusal(relation: Relation, error: AppError): Refusal {
  const isUsed = /is still referenced/.test(error.details)
  return isUsed ? { reason: 'still-used', columns: [] } : { reason: 'unknown-row', columns: orConstraint(relation, error, keyColumnsIn(relation, error.details)) }
}

const constraintIn = (error: AppError): string | undefined => /constraint "([^"]+)"/.exec(error.message)?.[1]

// `Key (organization_id, slug)=(…) already exists.`
function keyColumnsIn(relation: Relation, details: string): string[] {
  const listed = /Key \((.+?)\)=/.exec(details)?.[1] ?? ''
  return listed.split(', ').map((name) => name.replaceAll('"', '')).filter((name) => findColumn(relation, name))
}

function orConstraint(relation: Relation, error: AppError, found: string[]): string[] {
  if (found.length > 0) return found
  const constraint = constraintIn(error) ?? ''
  const fk = relation.fks?.find((candidate) => candidate.hidden !== true && candidate.name === constraint)
  // The names Postgres makes: `tickets_slug_key`, `tickets_pkey`.
  return fk?.columns ?? (constraint.endsWith('_pkey') ? (relation.primary_key ?? []) : relation.columns.map(({ name }) => name).filter((name) => constraint === `${relation.name}_${name}_key`))
}

function namedColumn(relation: Relation, error: AppError): string[] {
  const name = /column "([^"]+)"/.exec(`${error.message} ${error.details}`)?.[1]
  return name !== undefined && findColumn(relation, name) ? [name] : []
}

// Postgres names only the type: `value too long for type character varying(24)`.
function tooLong(relation: Relation, error: AppError): string[] {
  const most = Number(/\((\d+)\)/.exec(error.message)?.[1])
  const fitting = relation.columns.filter(({ max_length: longest }) => longest === most)
  return fitting.length === 1 ? fitting.map(({ name }) => name) : []
}
