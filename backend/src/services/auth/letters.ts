import type { Letter, LetterKind } from '#contract/mailer.ts'
import { ServiceError } from '#contract/service-error.ts'
import type { Transaction } from '#database/database.ts'

import { forgetAsking } from './asking.ts'
import type { Auth } from './auth.ts'
import { flowIdOf, pkcePrefix, tokenHash } from './codes.ts'
import { askedTooSoon, authError, invalidRequest } from './errors.ts'
import { insertFlowState } from './flow-states.queries.ts'
import { sendEmailByHook, type MailTokens } from './hooks/send-email.ts'
import { momentMs } from './moments.ts'
import { deleteOneTimeToken, replaceOneTimeToken, type OneTimeTokenKind } from './one-time-tokens.queries.ts'
import type { PkceChallenge } from './pkce.ts'
import { whenKept } from './transactions.ts'
import type { User } from './user.ts'
import { updateUser, type UserChanges } from './users.queries.ts'

/** The `type` of a link: what it does when it is opened. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'

/** A letter that is due once the transaction that made it is kept, and how to take its token back when it cannot be sent. */
export interface DueLetter {
  letter: Letter
  userId: string
  /** What the project's hook is told in place of the letter's own code. */
  tokens?: MailTokens
  withdraw(tx: Transaction): Promise<unknown>
}

/** Where a person wants to come back to, and how. */
export interface WayBack {
  redirectTo: string
  challenge: PkceChallenge | undefined
}

const sentColumns = {
  confirmation: { kind: 'confirmation_token', sentAt: 'confirmationSentAt', token: 'confirmation_token', moment: 'confirmation_sent_at' },
  recovery: { kind: 'recovery_token', sentAt: 'recoverySentAt', token: 'recovery_token', moment: 'recovery_sent_at' },
} as const

/** What `flow_state` remembers of a link, by its type. */
export const flowMethods: Readonly<Record<LinkType, string>> = {
  signup: 'email/signup',
  invite: 'invite',
  magiclink: 'magiclink',
  recovery: 'recovery',
  email_change: 'email_change',
}

/** @throws `over_email_send_rate_limit` (429) within the interval since `sentAt`. */
export function requireInterval(auth: Auth, sentAt: string | null): void {
  if (sentAt === null) return
  const leftMs = momentMs(sentAt) + auth.settings.email.maxFrequencySeconds * 1000 - auth.now().getTime()
  if (leftMs > 0) throw askedTooSoon(Math.floor(leftMs / 1000))
}

/** @throws `email_address_not_authorized` (400) when the project writes to chosen addresses only. */
export function requireAuthorizedAddress(auth: Auth, address: string): void {
  const allowed = auth.settings.email.authorizedAddresses
  const bare = address.toLowerCase().replace(/\+[^@]+@/, '@')
  if (allowed.length === 0 || allowed.some((one) => one.toLowerCase() === bare)) return
  throw authError('email_address_not_authorized', { message: `Email address "${address}" cannot be used as it is not authorized` })
}

/** The link that is used up when opened. */
export function confirmationUrl(auth: Auth, link: { tokenHash: string; type: string; redirectTo: string }): string {
  const query = new URLSearchParams({ token: link.tokenHash, type: link.type, redirect_to: link.redirectTo })
  return `${auth.settings.externalUrl}/verify?${query}`
}

/** A fresh code for an address, and the hash that is stored and linked. */
export function newToken(auth: Auth, address: string, challenge: PkceChallenge | undefined): { code: string; hash: string } {
  const code = auth.random.code(auth.settings.email.otpLength)
  return { code, hash: (challenge ? pkcePrefix : '') + tokenHash(address, code) }
}

/** Ties a link to the client that asked for it. */
export async function bindFlow(auth: Auth, tx: Transaction, link: { hash: string; type: LinkType; userId: string; challenge: PkceChallenge | undefined }): Promise<void> {
  if (!link.challenge) return
  await insertFlowState(tx, {
    id: flowIdOf(link.hash),
    userId: link.userId,
    code: auth.random.uuid(),
    challenge: link.challenge,
    providerType: link.type === 'signup' ? 'email' : flowMethods[link.type],
    authenticationMethod: flowMethods[link.type],
    at: auth.now(),
  })
}

/** The variables every letter with a link has. */
export function linkVariables(auth: Auth, user: User, link: { code: string; hash: string; type: LinkType; redirectTo: string }): Letter['variables'] {
  const callback = auth.redirects.callbackPage(link.redirectTo, { tokenHash: link.hash, type: link.type })
  return {
    SiteURL: auth.settings.siteUrl,
    ConfirmationURL: confirmationUrl(auth, { tokenHash: link.hash, type: link.type, redirectTo: link.redirectTo }),
    ...(callback ? { CallbackURL: callback } : {}),
    Token: link.code,
    TokenHash: link.hash,
    RedirectTo: link.redirectTo,
    Email: user.email,
    Data: user.userMetadata,
  }
}

const letterOf: Readonly<Record<Exclude<LinkType, 'email_change'>, { letter: LetterKind; column: keyof typeof sentColumns }>> = {
  signup: { letter: 'confirmation', column: 'confirmation' },
  invite: { letter: 'invite', column: 'confirmation' },
  magiclink: { letter: 'magic_link', column: 'recovery' },
  recovery: { letter: 'recovery', column: 'recovery' },
}

/** Stores a token for a person: any older one of its kind is void. */
export async function storeToken(
  auth: Auth,
  tx: Transaction,
  token: { user: User; kind: OneTimeTokenKind; hash: string; address: string; changes: UserChanges },
): Promise<void> {
  await updateUser(tx, token.user.id, { ...token.changes, at: auth.now() })
  await replaceOneTimeToken(tx, { id: auth.random.uuid(), userId: token.user.id, kind: token.kind, hash: token.hash, relatesTo: token.address })
}

/**
 * Writes a link for a person: sign-up, invitation, sign-in or recovery.
 *
 * @throws `over_email_send_rate_limit` (429) within the interval since the last one; nothing is changed then, and
 * the link sent before stays good.
 */
export async function prepareLink(
  auth: Auth,
  tx: Transaction,
  asked: WayBack & { user: User; type: Exclude<LinkType, 'email_change'> },
): Promise<DueLetter> {
  const { user, type, challenge, redirectTo } = asked
  if (user.email === '') throw invalidRequest('An email address is required')
  const columns = sentColumns[letterOf[type].column]
  if (type !== 'invite') requireInterval(auth, user[columns.sentAt])
  requireAuthorizedAddress(auth, user.email)
  auth.limits.spendMail()

  const token = newToken(auth, user.email, challenge)
  const at = auth.now()
  const changes: UserChanges = { [columns.token]: token.hash, [columns.moment]: at, ...(type === 'invite' ? { invited_at: at } : {}) }
  await storeToken(auth, tx, { user, kind: columns.kind, hash: token.hash, address: user.email, changes })
  await bindFlow(auth, tx, { hash: token.hash, type, userId: user.id, challenge })
  return {
    userId: user.id,
    letter: { kind: letterOf[type].letter, to: user.email, variables: linkVariables(auth, user, { ...token, type, redirectTo }) },
    withdraw: async (later) => {
      await updateUser(later, user.id, { [columns.token]: '', [columns.moment]: null, at: auth.now() })
      await deleteOneTimeToken(later, user.id, columns.kind)
    },
  }
}

/**
 * Sends letters whose transaction is kept. A failure that shows before `leaves` is told to the person; a later one is
 * logged. Either way the token is taken back, so that asking again is possible at once.
 *
 * @throws `unexpected_failure` (500) "Error sending … email".
 */
export async function sendDue(auth: Auth, due: readonly DueLetter[], leaves: Promise<void> | undefined = undefined): Promise<void> {
  const sending = Promise.all(due.map((one) => deliver(auth, one)))
  // Heard here as well: a failure after the answer has left must not end the process.
  sending.catch(() => undefined)
  await (leaves ? Promise.race([sending, leaves]) : sending)
}

function handOver(auth: Auth, letter: Letter, about: Partial<Omit<DueLetter, 'letter' | 'withdraw'>> = {}): Promise<void> {
  const hook = auth.settings.hooks.sendEmail
  return hook ? sendEmailByHook(auth, hook, { letter, ...about }) : auth.mailer.send(letter)
}

async function deliver(auth: Auth, { letter, withdraw, ...about }: DueLetter): Promise<void> {
  try {
    await handOver(auth, letter, about)
  } catch (error) {
    await forgetAsking(auth, { email: letter.to })
    auth.logger.error('mail could not be sent', { kind: letter.kind, error })
    await auth.transact(withdraw).catch((failure: unknown) => auth.logger.error('token of an unsent mail could not be taken back', { error: failure }))
    // A hook's own words are for the person.
    if (error instanceof ServiceError) throw error
    throw authError('unexpected_failure', { message: `Error sending ${letter.kind.replaceAll('_', ' ')} email`, cause: error })
  }
}

/** Sends a notice without a token, if the project wants it and once `tx` is kept; a failure is logged and changes nothing. */
export function sendNotice(auth: Auth, letter: Letter, tx?: Transaction): void {
  if (!auth.settings.email.notifications.includes(letter.kind) || letter.to === '') return
  const send = () => void handOver(auth, letter).catch((error: unknown) => auth.logger.error('notice could not be sent', { kind: letter.kind, error }))
  if (tx) whenKept(tx, send)
  else send()
}
