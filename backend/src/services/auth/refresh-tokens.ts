import { crc32 } from 'node:zlib'

import type { Transaction } from '#database/database.ts'

import type { Auth } from './auth.ts'
import { isOlderThan } from './moments.ts'
import {
  deleteRefreshTokens,
  findActiveRefreshToken,
  findRefreshToken,
  findTokenKey,
  insertRefreshToken,
  isLastRefreshToken,
  revokeRefreshToken,
  revokeRefreshTokens,
  setTokenKey,
  type RefreshToken,
  type TokenKey,
} from './refresh-tokens.queries.ts'
import { deleteSession, type Session } from './sessions.queries.ts'
import { newTokenKey, readRefreshToken, signRefreshToken, type ClaimedRefreshToken } from './signed-refresh-token.ts'

/** A refresh token that was presented and is one of ours, and whose it is. */
export type Presented = { userId: string; sessionId: string | null } & ({ row: RefreshToken } | { signed: ClaimedRefreshToken })

/** Undefined: unknown, torn, or signed by somebody else. */
export async function findPresented(tx: Transaction, given: string): Promise<Presented | undefined> {
  if (given.length === 12) {
    const row = await findRefreshToken(tx, given)
    return row && { userId: row.userId, sessionId: row.sessionId, row }
  }
  const signed = readRefreshToken(given)
  const known = signed && (await findTokenKey(tx, signed.sessionId))
  return known && signed.isSignedWith(known.key) ? { userId: known.userId, sessionId: signed.sessionId, signed } : undefined
}

interface Holder {
  userId: string
  sessionId: string
}

async function insertFirst(auth: Auth, tx: Transaction, { userId, sessionId }: Holder): Promise<string> {
  const token = auth.random.word(12)
  await insertRefreshToken(tx, { token, userId, sessionId, parent: null, at: auth.now() })
  return token
}

async function signFirst(tx: Transaction, sessionId: string): Promise<string> {
  const key = newTokenKey()
  await setTokenKey(tx, sessionId, { key, counter: 0n })
  return signRefreshToken({ sessionId, counter: 0n }, key)
}

/** The first token of a new session. */
export const issueRefreshToken = (auth: Auth, tx: Transaction, holder: Holder): Promise<string> =>
  auth.settings.refreshTokens.version === 2 ? signFirst(tx, holder.sessionId) : insertFirst(auth, tx, holder)

/** A token in place of all a session had: they are unknown from then on. */
export async function replaceRefreshTokens(auth: Auth, tx: Transaction, holder: Holder): Promise<string> {
  const isSigned = (await findTokenKey(tx, holder.sessionId)) !== undefined
  await deleteRefreshTokens(tx, holder.sessionId)
  return isSigned ? signFirst(tx, holder.sessionId) : insertFirst(auth, tx, holder)
}

/** What a client gets for the token it sent. */
export interface Next {
  token: string
  /** Why the token was let pass although it was traded before: `fail-to-save`, `concurrent-refresh`, `always-allow`, joined by commas. */
  reuse?: string
  /** Number of the token, of the second kind. */
  counter?: bigint
}

/** A refusal that must be kept: the token's family is at its end, or the server has never issued it. */
export type Refusal = 'stolen' | 'session ended' | 'not ours'

const isRecent = (auth: Auth, moment: string): boolean => !isOlderThan(moment, auth.settings.refreshTokenReuseIntervalSeconds, auth.now().getTime())

// The share is one of sessions and not of requests, and stays the same however often they come.
function goesOver({ settings }: Auth, sessionId: string): boolean {
  const { version, upgradePercentage } = settings.refreshTokens
  return version === 2 && crc32(Buffer.from(sessionId.replaceAll('-', ''), 'hex')) % 100 < upgradePercentage
}

async function tradeRow(auth: Auth, tx: Transaction, { row, session }: { row: RefreshToken; session: Session }): Promise<Next> {
  const at = auth.now()
  await revokeRefreshToken(tx, row.id, at)
  if (goesOver(auth, session.id)) return { token: await signFirst(tx, session.id), counter: 0n }
  const token = auth.random.word(12)
  await insertRefreshToken(tx, { token, userId: session.userId, sessionId: session.id, parent: row.token, at })
  return { token }
}

const activeOf = (sessionId: string, { key, counter }: TokenKey, reuse: string): Next => ({ token: signRefreshToken({ sessionId, counter }, key), counter, reuse })

// Its session went over to the second kind: the number in its row is the active token, and that a thief comes ends the session.
async function nextOfFormer(auth: Auth, tx: Transaction, asked: { row: RefreshToken; session: Session; known: TokenKey }): Promise<Next | Refusal> {
  const { row, session, known } = asked
  if (known.counter === 0n && (await isLastRefreshToken(tx, row))) return activeOf(session.id, known, 'fail-to-save')
  if (isRecent(auth, row.updatedAt)) return activeOf(session.id, known, 'concurrent-refresh')
  if (!auth.settings.refreshTokenRotation) return 'stolen'
  await deleteSession(tx, session.id)
  return 'session ended'
}

/**
 * Of the first kind:
 * - The active token is traded for a new one.
 * - Its parent gets the active one again: another tab traded it, or the answer was lost on the way.
 * - Any older one does too within the reuse interval, then it is taken for stolen and ends the family.
 */
async function nextOfRow(auth: Auth, tx: Transaction, { row, session }: { row: RefreshToken; session: Session }): Promise<Next | Refusal> {
  if (!row.isRevoked) return tradeRow(auth, tx, { row, session })
  const known = await findTokenKey(tx, session.id)
  if (known) return nextOfFormer(auth, tx, { row, session, known })
  const active = await findActiveRefreshToken(tx, session.id)
  if (active?.parent === row.token) return { token: active.token, reuse: 'fail-to-save' }
  if (active && isRecent(auth, row.updatedAt)) return { token: active.token, reuse: 'concurrent-refresh' }
  if (auth.settings.refreshTokenRotation) await revokeRefreshTokens(tx, session.id, auth.now())
  return 'stolen'
}

/**
 * Of the second kind, by its number:
 * - The last one is traded for the next.
 * - The one before gets the last one again, as does any within the reuse interval of the session's last refresh.
 * - Any older one is taken for stolen and ends the session.
 */
async function nextOfSigned(auth: Auth, tx: Transaction, { signed, session }: { signed: ClaimedRefreshToken; session: Session }): Promise<Next | Refusal | undefined> {
  // Looked at again: a second factor given meanwhile made a new key.
  const known = await findTokenKey(tx, session.id)
  if (!known || !signed.isSignedWith(known.key)) return undefined
  const behind = known.counter - signed.counter
  if (behind < 0n) return 'not ours'
  if (behind === 0n) {
    const counter = known.counter + 1n
    await setTokenKey(tx, session.id, { key: known.key, counter })
    return { token: signRefreshToken({ sessionId: session.id, counter }, known.key), counter }
  }
  const causes = [
    isRecent(auth, session.refreshedAt ?? session.createdAt) ? 'concurrent-refresh' : '',
    behind === 1n ? 'fail-to-save' : '',
    auth.settings.refreshTokens.allowReuse ? 'always-allow' : '',
  ].filter((cause) => cause !== '')
  if (causes.length > 0) return activeOf(session.id, known, causes.join(','))
  if (!auth.settings.refreshTokenRotation) return 'stolen'
  await deleteSession(tx, session.id)
  return 'session ended'
}

/**
 * Which token a client gets for the one it sent. Called with the session locked, so nobody else decides meanwhile. Undefined: the token
 * is gone meanwhile.
 *
 * @see supabase/auth internal/tokens/service.go, `RefreshTokenGrant`
 */
export async function nextRefreshToken(auth: Auth, tx: Transaction, asked: { presented: Presented; session: Session }): Promise<Next | Refusal | undefined> {
  const { presented, session } = asked
  if ('signed' in presented) return nextOfSigned(auth, tx, { signed: presented.signed, session })
  // Read again: whoever held the session before us may have traded it meanwhile.
  const row = await findRefreshToken(tx, presented.row.token)
  return row && nextOfRow(auth, tx, { row, session })
}
