import type { User } from '#api/client.ts'

/** Why there is no session. Each has its own words on the sign-in page, but for `set-aside`: another account is to be used. */
export type SignedOutReason =
  | 'signed-out-here'
  | 'set-aside'
  | 'signed-out-elsewhere'
  | 'expired'
  | 'revoked'
  | 'banned'
  | 'deleted'
  | 'damaged-cookies'
  | 'cookies-lost'
  | 'project-changed'

/** What the access token says of the session, without the token. */
export interface SessionFacts {
  /** The server's `session_id`; the same through every refresh of one sign-in. */
  id: string
  /** Milliseconds since the epoch. */
  expiresAt: number
  /** `aal1`, or `aal2` after a second factor. */
  level: string
  /** How the person proved who they are: `password`, `otp`, `recovery`. */
  methods: readonly string[]
  /** When they last did: with a first factor, with a second. Milliseconds since the epoch; 0 for never. */
  provenAt: { first: number; second: number }
}

/** Who was signed in here before: the place they left and their unsaved work are theirs alone. */
export interface LastPerson {
  id: string
  email: string
}

/** What a signed-in person still owes: a code of the second factor they have, or one they must set up. */
export type MissingFactor = 'challenge' | 'enrolment'

/**
 * Who is signed in. `second-factor` is a session that is not whole yet; `recovering` one opened by a recovery mail whose
 * person has yet to choose a password.
 */
export type SessionState =
  | { step: 'starting' }
  | { step: 'cookies-blocked' }
  | { step: 'signed-out'; reason: SignedOutReason | null; last: LastPerson | null }
  | { step: 'signed-in'; user: User; session: SessionFacts }
  | { step: 'recovering'; user: User; session: SessionFacts }
  | { step: 'second-factor'; user: User; session: SessionFacts; need: MissingFactor; last: LastPerson | null }

/** True while someone is signed in, recovery and a missing second factor included. */
export const isSignedIn = (state: SessionState): state is Extract<SessionState, { user: User }> => 'user' in state

export const hasVerifiedFactor = ({ factors }: Pick<User, 'factors'>): boolean => factors?.some(({ status }) => status === 'verified') ?? false

/** What this session lacks; `isRequired` when the operator asks everyone for a second factor. */
export function findMissingFactor(user: User, level: string, isRequired: boolean): MissingFactor | undefined {
  if (level === 'aal2') return undefined
  if (hasVerifiedFactor(user)) return 'challenge'
  // A person read from a token alone may have factors it does not name; guests and members of an organisation cannot have one here.
  const isKnown = user.created_at !== ''
  const isManaged = user.is_anonymous === true || String(user.app_metadata['provider'] ?? '').startsWith('sso:')
  return isRequired && isKnown && !isManaged ? 'enrolment' : undefined
}

/** Reads the facts of a session from its token's claims. */
export function readFacts(claims: Record<string, unknown>, expiresAt: number): SessionFacts {
  const { session_id, aal, amr } = claims
  const proofs = Array.isArray(amr) ? amr.map(readProof) : []
  const latest = (isSecond: boolean) => Math.max(0, ...proofs.filter(({ method }) => secondMethods.has(method) === isSecond).map(({ at }) => at))
  return {
    id: typeof session_id === 'string' ? session_id : '',
    expiresAt,
    level: typeof aal === 'string' ? aal : 'aal1',
    methods: proofs.map(({ method }) => method).filter((method) => method !== ''),
    provenAt: { first: latest(false), second: latest(true) },
  }
}

/** The auth service's words for second factors in a token's `amr`. */
const secondMethods: ReadonlySet<string> = new Set(['totp', 'mfa/totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code'])

/** `amr` holds a method with the second it was used at; of old, the method alone. */
function readProof(entry: unknown): { method: string; at: number } {
  if (typeof entry === 'string') return { method: entry, at: 0 }
  const { method, timestamp } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>
  return { method: typeof method === 'string' ? method : '', at: typeof timestamp === 'number' ? timestamp * 1000 : 0 }
}

/** The person as the token names them, for the moments when the user object is not at hand: storage emptied, another origin's. */
export function userFromClaims(claims: Record<string, unknown>): User {
  const text = (key: string) => (typeof claims[key] === 'string' ? claims[key] : '')
  const record = (key: string) => (typeof claims[key] === 'object' && claims[key] !== null ? (claims[key] as Record<string, unknown>) : {})
  return {
    id: text('sub'),
    aud: text('aud'),
    role: text('role'),
    email: text('email'),
    phone: text('phone'),
    app_metadata: record('app_metadata'),
    user_metadata: record('user_metadata'),
    is_anonymous: claims['is_anonymous'] === true,
    created_at: '',
  }
}

const reasonByVerdict = new Map<string, SignedOutReason>(Object.entries({
  session_expired: 'expired',
  refresh_token_not_found: 'revoked',
  refresh_token_already_used: 'revoked',
  session_not_found: 'revoked',
  user_banned: 'banned',
  user_not_found: 'deleted',
  bad_jwt: 'project-changed',
} satisfies Record<string, SignedOutReason>))

/** Puts the auth service's code into the reason a person is told. */
export const reasonOfVerdict = (code: string): SignedOutReason | undefined => reasonByVerdict.get(code)

/** Two states a screen cannot tell apart; the older object is kept, so nothing draws again. */
export function sameState(a: SessionState, b: SessionState): boolean {
  if (a.step !== b.step) return false
  if (isSignedIn(a) && isSignedIn(b)) {
    const needs = a.step === 'second-factor' && b.step === 'second-factor' ? a.need === b.need : true
    return needs && JSON.stringify([a.user, a.session]) === JSON.stringify([b.user, b.session])
  }
  if (a.step === 'signed-out' && b.step === 'signed-out') return a.reason === b.reason && a.last?.id === b.last?.id
  return true
}
