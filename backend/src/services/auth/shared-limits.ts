import { createHash } from 'node:crypto'

import type { Transaction } from '#database/database.ts'

import type { Auth } from './auth.ts'
import { authError } from './errors.ts'
import { momentMs } from './moments.ts'
import { freeKey, holdUntil, spendOne, type Allowance } from './shared-limits.queries.ts'

/**
 * Tries that are counted for whom they are against and not for the machine they come from: codes of an address, a number or a
 * person (`code`), and codes of a second factor (`factor_code`). Kept in the database: several processes count together, and a
 * restart gives nobody new ones.
 */
export type Tries = 'code' | 'factor_code'

/** As the hosted backend's limiter has it. */
const codeBurst = 30

/** Ten at once, then one a minute. At six digits that is 0.4 % a day for whoever has the password. */
const factorCodes: Allowance = { burst: 10, everyMs: 60_000 }

/** For a rate of none at all. */
const dayMs = 86_400_000

const everyMsOf = (perFiveMinutes: number): number => (perFiveMinutes > 0 ? Math.ceil(300_000 / perFiveMinutes) : dayMs)

const allowanceOf = (auth: Auth, tries: Tries): Allowance =>
  tries === 'factor_code' ? factorCodes : { burst: codeBurst, everyMs: everyMsOf(auth.settings.rateLimits.tokenVerifications) }

const keyOf = (what: string, whom: string): string => createHash('sha256').update(`${what}\n${whom}`).digest('base64url')

/** Spends in a transaction of its own, kept whatever comes of the request. Gives the milliseconds to wait; 0: spent. */
async function spend(auth: Auth, key: string, allowance: Allowance): Promise<number> {
  const at = auth.now()
  const freeAt = await auth.transact((tx) => spendOne(tx, { key, at, allowance }))
  if (freeAt === undefined) return 0
  return Math.max(momentMs(freeAt) - (allowance.burst - 1) * allowance.everyMs - at.getTime(), 1)
}

/**
 * Counts a try before it is looked at, so that many at once are counted too. Never inside a transaction.
 *
 * @throws `over_request_rate_limit` (429).
 */
export async function spendTry(auth: Auth, tries: Tries, whom: string): Promise<void> {
  const waitMs = await spend(auth, keyOf(tries, whom), allowanceOf(auth, tries))
  if (waitMs > 0) throw authError('over_request_rate_limit', { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } })
}

/** One was right: what was spent is given back. */
export const forgetTries = (auth: Auth, tries: Tries, whom: string): Promise<unknown> => auth.transact((tx) => freeKey(tx, keyOf(tries, whom)))

/** Takes the one turn an address has in so many seconds. Gives the milliseconds until the next; 0: taken. Never inside a transaction. */
export const takeTurn = (auth: Auth, asked: { what: string; whom: string; seconds: number }): Promise<number> =>
  asked.seconds > 0 ? spend(auth, keyOf(asked.what, asked.whom), { burst: 1, everyMs: asked.seconds * 1000 }) : Promise.resolve(0)

/** Gives a turn back with the transaction. */
export const giveTurnBack = (tx: Transaction, asked: { what: string; whom: string }): Promise<unknown> => freeKey(tx, keyOf(asked.what, asked.whom))

/** Whether something is seen for the first time, for as long as it could be shown again. Never inside a transaction. */
export const isFirstTime = (auth: Auth, asked: { what: string; id: string; until: Date }): Promise<boolean> =>
  auth.transact((tx) => holdUntil(tx, { key: keyOf(asked.what, asked.id), at: auth.now(), until: asked.until }))
