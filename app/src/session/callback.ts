import { AppError } from '#api/app-error.ts'
import type { ProjectClient, User } from '#api/client.ts'
import { exchangeCode } from '#api/sign-in-proofs.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import type { Arrival, MailLinkType } from './arrival.ts'
import type { PendingEntry } from './pending-entry.ts'
import { home } from './redirects.ts'

/** Why a link did not let the person in. Each has its own words and its own next steps. */
export type LinkFailure =
  /** No answer came; the link is still good. */
  | 'offline'
  /** Used, too old, or replaced by a newer one: the server does not tell these apart. */
  | 'spent'
  /** The link itself was good, the sign-in took longer than the server allows. */
  | 'too-late'
  /** Asked for in another browser, whose proof is not here. */
  | 'other-browser'
  /** The person, or the provider, said no. */
  | 'cancelled'
  | 'refused'
  /** The page was opened without any link. */
  | 'nothing'

export type CallbackState =
  | { step: 'working' }
  /** A mail link waits for a press: programs that follow links in mails press nothing. */
  | { step: 'confirm'; type: MailLinkType }
  /** The link carries someone's session: whose, is shown before it is taken. */
  | { step: 'confirm-person'; email: string }
  /** The link is somebody's this browser did not ask for: shown, so that nobody works in another's account unknowingly. */
  | { step: 'check-person'; email: string; found: FoundSession }
  | { step: 'done'; recovery: boolean; to: string; came?: CameBy }
  /** The first of the two mails of a new address. */
  | { step: 'half-way' }
  | { step: 'failed'; why: LinkFailure; error: AppError; pending: PendingEntry | undefined }

/** Links after which more than going on is due: an invited person says who they are, a new address is told of. */
export type CameBy = 'invite' | 'email_change'

const cameBy = (type: string | undefined): { came?: CameBy } => (type === 'invite' || type === 'email_change' ? { came: type } : {})

/** A session a link has opened, which no tab has taken yet. */
export interface FoundSession {
  accessToken: string
  refreshToken: string
  recovery: boolean
  to: string
  came?: CameBy
  /** Ends it on the server instead. */
  discard: () => Promise<void>
}

export interface CallbackParts {
  connection: ProjectClient
  /** What this browser is waiting for. */
  pending: PendingEntry | undefined
  signedIn: User | undefined
}

const whyByCode = new Map<string, LinkFailure>([
  ['otp_expired', 'spent'],
  ['bad_jwt', 'spent'],
  ['session_not_found', 'spent'],
  ['user_not_found', 'spent'],
  ['flow_state_not_found', 'spent'],
  ['flow_state_already_used', 'spent'],
  ['bad_oauth_state', 'too-late'],
  ['oauth_client_state_expired', 'too-late'],
  ['flow_state_expired', 'too-late'],
  ['bad_code_verifier', 'other-browser'],
  ['pkce_code_verifier_not_found', 'other-browser'],
  ['access_denied', 'cancelled'],
])

function failed(error: AppError, pending: PendingEntry | undefined): CallbackState {
  const mayRepeat = error.kind === 'offline' || error.kind === 'busy' || error.kind === 'broken'
  return { step: 'failed', why: whyByCode.get(error.code) ?? (mayRepeat ? 'offline' : 'refused'), error, pending }
}

/** Takes what arrived as far as it goes without the person: a code to its session, everything else to a question or an explanation. */
export async function openArrival({ connection, pending, signedIn }: CallbackParts, arrival: Arrival): Promise<CallbackState> {
  switch (arrival.kind) {
    case 'code': {
      const exchange = await exchangeCode(connection, arrival.code, arrival.flowId)
      if (exchange.kind === 'done') return { step: 'done', recovery: exchange.recovery, to: pending?.to ?? home, ...cameBy(pending?.way) }
      const state = failed(exchange.error, pending)
      // Whoever is in already has most likely come in by this very link, whose proof is gone since.
      return state.step === 'failed' && state.why === 'other-browser' && signedIn ? { ...state, why: 'spent' } : state
    }
    case 'token-hash':
      return { step: 'confirm', type: arrival.type }
    case 'tokens': {
      // Asked of the server, since what a token says of itself can be written by anyone; and asked aside, since the
      // client ends its own session when the server does not know the one in a token, whoever brought that.
      const { data, error } = await connection.openAside().auth.getUser(arrival.accessToken)
      return error ? failed(toAppError(error), pending) : { step: 'confirm-person', email: data.user.email ?? '' }
    }
    case 'message':
      return { step: 'half-way' }
    case 'error':
      return failed(readRefusal(arrival), pending)
    case 'nothing':
      return { step: 'failed', why: 'nothing', error: new AppError('missing', ''), pending }
  }
}

/**
 * A failure told by the address, which anyone can have written: only the code of a known kind of failure is believed. What else it says
 * is never a sentence of this page's own, as a project's rules may speak; a stranger's would stand there in its name.
 */
const readRefusal = ({ code, description }: Extract<Arrival, { kind: 'error' }>): AppError =>
  new AppError('invalid', description.slice(0, 500), { code: /^[a-z][a-z0-9_]*$/.test(code) ? code : 'unknown', status: 400 })

/** Goes on after the person's press: spends the mail's token, or takes the session the link carried. */
export async function confirmArrival(parts: CallbackParts, arrival: Arrival): Promise<CallbackState> {
  if (arrival.kind === 'token-hash') return spendTokenHash(parts, arrival)
  if (arrival.kind !== 'tokens') return openArrival(parts, arrival)
  const { error } = await parts.connection.client.auth.setSession({ access_token: arrival.accessToken, refresh_token: arrival.refreshToken })
  return error ? failed(toAppError(error), parts.pending) : { step: 'done', recovery: asksForPassword(arrival.type), to: parts.pending?.to ?? home, ...cameBy(arrival.type) }
}

/**
 * Makes a found session the session of every tab.
 *
 * @throws AppError when the server could not be asked; the session can be taken again.
 */
export async function takeSession({ client }: ProjectClient, { accessToken, refreshToken }: FoundSession): Promise<void> {
  await unwrap(client.auth.setSession({ access_token: accessToken, refresh_token: refreshToken }))
}

async function spendTokenHash({ connection, pending, signedIn }: CallbackParts, arrival: Extract<Arrival, { kind: 'token-hash' }>): Promise<CallbackState> {
  const aside = connection.openAside()
  const { data, error } = await aside.auth.verifyOtp({ token_hash: arrival.tokenHash, type: arrival.type })
  if (error) return failed(toAppError(error), pending)
  const { session, user } = data
  if (!session) return { step: 'half-way' }
  const found: FoundSession = {
    accessToken: session.access_token,
    refreshToken: session.refresh_token,
    recovery: asksForPassword(arrival.type),
    to: pending?.to ?? home,
    ...cameBy(arrival.type),
    discard: async () => void (await aside.auth.signOut({ scope: 'local' })),
  }
  const email = user?.email ?? ''
  if (!isAwaited({ email, id: user?.id ?? '', recovery: found.recovery }, pending, signedIn)) return { step: 'check-person', email, found }
  try {
    await takeSession(connection, found)
  } catch {
    // The token is spent, the session stands: another press takes it.
    return { step: 'check-person', email, found }
  }
  return { step: 'done', recovery: found.recovery, to: found.to, ...cameBy(arrival.type) }
}

/**
 * True for the person this browser waits for, or who is in already. A page that asks for a password shows whose it is
 * anyway; it needs no question before it unless somebody else is signed in.
 */
function isAwaited(person: { email: string; id: string; recovery: boolean }, pending: PendingEntry | undefined, signedIn: User | undefined): boolean {
  if (pending && pending.email !== '' && pending.email.toLowerCase() === person.email.toLowerCase()) return true
  return signedIn ? signedIn.id === person.id : person.recovery
}

/** An invited person has a password nobody knows; one who forgot theirs, likewise. */
const asksForPassword = (type: string) => type === 'recovery' || type === 'invite'
