import { callerUserId, type Caller } from '#contract/caller.ts'
import type { RawResult, Transaction, TransactionOptions } from '#database/database.ts'
import { toStorageFailure } from './database-failure.ts'
import type { StorageParts } from './parts.ts'
import { singleStatements } from './single-statements.ts'

/** On whose behalf storage works, and what it is doing: policies may ask `storage.operation()`. */
export interface Actor {
  caller: Caller
  /** `storage.object.upload`. @see supabase/storage src/http/routes/operations.ts */
  operation: string
  /** Becomes the owner of what is written: the `sub` claim, or what an upload link says. */
  ownerId?: string
}

/** Makes the actor of a request. */
export function actorOf(caller: Caller, operation: string): Actor {
  const ownerId = callerUserId(caller)
  return { caller, operation, ...(ownerId === undefined ? {} : { ownerId }) }
}

/** The same work with the rights of `service_role`, whom no policy holds; the owner stays. What is done as such was decided before. */
export const asService = (actor: Actor): Actor => ({ ...actor, caller: { ...actor.caller, role: 'service_role', claims: { role: 'service_role' } } })

const lockTimeoutMs = 5000

const optionsOf = ({ operation }: Actor): TransactionOptions => ({
  settings: {
    'storage.operation': operation,
    // Files are deleted with their rows here, which is what the trigger on these tables makes sure of.
    'storage.allow_delete_query': 'true',
    lock_timeout: String(lockTimeoutMs),
  },
})

/**
 * Runs statements as an actor, in one transaction.
 *
 * @throws ServiceError for whatever the database refuses.
 */
export async function asActor<T>({ database }: Pick<StorageParts, 'database'>, actor: Actor, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await database.asCaller(actor.caller, work, optionsOf(actor))
  } catch (error) {
    throw toStorageFailure(error)
  }
}

/**
 * Runs one statement as an actor, on the fast road: settings and statement travel together. A second one would be a transaction of its own.
 *
 * @throws ServiceError for whatever the database refuses.
 */
export async function onceAsActor<T>({ database }: Pick<StorageParts, 'database'>, actor: Actor, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const options = optionsOf(actor)
  try {
    return await work(singleStatements(async (statement) => (await database.batchAsCaller(actor.caller, [statement], options))[0] as RawResult))
  } catch (error) {
    throw toStorageFailure(error)
  }
}

class Rehearsed extends Error {}

/** Runs statements as an actor and takes everything back: it tells whether they would be allowed. */
export async function rehearse(parts: Pick<StorageParts, 'database'>, actor: Actor, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  try {
    await asActor(parts, actor, async (tx) => {
      await work(tx)
      throw new Rehearsed()
    })
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error
  }
}
