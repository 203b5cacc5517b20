import { hash, parseOptions, verify } from '@node-rs/bcrypt'

import { authError } from './errors.ts'
import { matchesForeignHash, readForeignHash } from './foreign-hashes.ts'

/** Hashes and checks passwords off the event loop, so many at a time and no more. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long when there is no hash to compare with: an unknown person and a wrong password look alike. */
  matches(password: string, storedHash: string | null): Promise<boolean>
}

const cost = 10

// A bcrypt hash of a random text nobody kept.
const nobodysHash = '$2a$10$yMoYHshIZam6msH1A3yaLuKxePJSSsYRR.qBrJCa/6qZGiosKtToi'

/** Past this many waiting, a new one is turned away: they would wait for longer than their client does. */
const longestLine = 500

function createGate(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let busy = 0
  return async (work) => {
    if (waiting.length >= longestLine) throw authError('over_request_rate_limit')
    if (busy >= places) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }
}

/** What one comparison may cost at most, some five seconds: at 31 it would hold a place for days, and three of them all. */
const highestCost = 16

/** So many comparisons say how long one takes here and now. */
const remembered = 32
/** Longest that a refusal is kept back. */
const longestHoldMs = 2000

/**
 * Keeps refusals back for as long as the slowest comparison of late took, and half as long again, once there are hashes of several kinds:
 * who was brought along from another system would be known by the time that theirs takes.
 */
function createPace() {
  const tookMs: number[] = []
  let isMixed = false
  return {
    note(ms: number, isOwnKind: boolean): void {
      isMixed ||= !isOwnKind
      tookMs.push(ms)
      if (tookMs.length > remembered) tookMs.shift()
    },
    async hold(begunAt: number): Promise<void> {
      if (!isMixed) return
      const leftMs = begunAt + Math.min(1.5 * Math.max(...tookMs), longestHoldMs) - performance.now()
      if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs))
    },
  }
}

const isOwnKind = (storedHash: string | null): boolean => storedHash === null || storedHash === '' || storedHash.startsWith(`$2a$${cost}$`)

async function compare(password: string, storedHash: string | null): Promise<boolean> {
  const foreign = storedHash === null ? undefined : readForeignHash(storedHash)
  if (foreign) return matchesForeignHash(password, foreign)
  const isKnown = storedHash !== null && isBcryptHash(storedHash)
  const isRight = await verify(password, isKnown ? storedHash : nobodysHash)
  return isKnown && isRight
}

/** Whether a text is a bcrypt hash that can be compared with. */
export const isBcryptHash = (storedHash: string): boolean => {
  try {
    return parseOptions(storedHash).cost <= highestCost
  } catch {
    return false
  }
}

/**
 * Passwords by bcrypt, cost 10, as the hosted backend keeps them. Reads `$2a$`, `$2b$` and `$2y$`, so also what
 * `crypt(…, gen_salt('bf'))` of a seed made, and what other systems made by Argon2 or Firebase's scrypt.
 *
 * @param atOnce work at one time; the rest waits in line, so that sign-ins never take the whole machine.
 */
export function createPasswords(atOnce: number): Passwords {
  const inGate = createGate(atOnce)
  const pace = createPace()
  return {
    hash: (password) => inGate(() => hash(password, { cost, version: '2a' })),
    async matches(password, storedHash) {
      let begunAt = 0
      const isRight = await inGate(async () => {
        begunAt = performance.now()
        const answer = await compare(password, storedHash)
        pace.note(performance.now() - begunAt, isOwnKind(storedHash))
        return answer
      })
      // Outside the gate: who waits takes nobody's place.
      if (!isRight) await pace.hold(begunAt)
      return isRight
    },
  }
}
