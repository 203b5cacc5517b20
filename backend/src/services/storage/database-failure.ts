import type { ServiceError } from '#contract/service-error.ts'
import { DatabaseError } from '#database/database-error.ts'
import {
  accessDenied, databaseFailed, databaseReadOnly, databaseTimedOut, parameterInvalid, policyBroken, relatedResourceNotFound, resourceExists,
  resourceLocked, resourceReferenced, schemaMismatch, tooManyConnections,
} from './errors.ts'

const foreignKeyFailure = (error: DatabaseError): ServiceError => {
  const { detail = '', constraint = '' } = error.facts
  if (!detail.includes('is still referenced from table')) return relatedResourceNotFound(error)
  const isPendingUpload = /^s3_multipart_uploads(_parts)?_bucket_id_fkey$/.test(constraint)
  return resourceReferenced(
    isPendingUpload
      ? 'The bucket could not be updated because it is referenced by a pending multipart upload.'
      : 'The resource could not be updated or removed due to a foreign key constraint',
    error,
  )
}

const outOfSync = (error: DatabaseError): ServiceError =>
  schemaMismatch(
    error.facts.where === undefined
      ? 'The database schema is out of sync. Please run migrations or contact support.'
      : `There is a database schema mismatch in a trigger or RLS policy: ${error.facts.where}`,
    error,
  )

const failures: Readonly<Record<string, (error: DatabaseError) => ServiceError>> = {
  '42501': (error) => accessDenied(error.message.includes('row-level security') ? 'new row violates row-level security policy' : error.message, error),
  '23505': resourceExists,
  '23503': foreignKeyFailure,
  '55P03': resourceLocked,
  '57014': databaseTimedOut,
  '53300': tooManyConnections,
  '25006': databaseReadOnly,
  '42P17': policyBroken,
  // A text with a character that no database text may have.
  '22021': (error) => parameterInvalid(error.message, error),
  '22P05': (error) => parameterInvalid(error.message, error),
  '22P02': (error) => parameterInvalid(error.message, error),
  '42703': outOfSync,
  '42P01': outOfSync,
}

/** A database's failure in the storage API's words; anything else stays what it is. @see supabase/storage src/storage/database/errors.ts */
export function toStorageFailure(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  // Not to be reached, or gone in the middle: worth another try.
  const isAway = /^(08|57P)/.test(error.sqlstate)
  return failures[error.sqlstate]?.(error) ?? (isAway ? databaseTimedOut(error) : databaseFailed(error.sqlstate, error))
}
