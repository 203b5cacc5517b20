import type { User } from '#api/client.ts'

/** Why there is no session. Each has its own words on the sign-in page. */
export type SignedOutReason =
  | 'signed-out-here'
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
}

/** Who was signed in here before: the place they left and their unsaved work are theirs alone. */
export interface LastPerson {
  id: string
  email: string
}

/** Who is signed in. `recovering` is a session opened by a recovery mail whose person has yet to choose a password. */
export type SessionState =
  | { step: 'starting' }
  | { step: 'cookies-blocked' }
  | { step: 'signed-out'; reason: SignedOutReason | null; last: LastPerson | null }
  | { step: 'signed-in'; user: User; session: SessionFacts }
  | { step: 'recovering'; user: User; session: SessionFacts }

/** True while someone is signed in, recovery included. */
export const isSignedIn = (state: SessionState): state is Extract<SessionState, { user: User }> =>
  state.step === 'signed-in' || state.step === 'recovering'

/** Reads the facts of a session from its token's claims. */
export function readFacts(claims: Record<string, unknown>, expiresAt: number): SessionFacts {
  const { session_id, aal, amr } = claims
  const methods = Array.isArray(amr) ? amr.map((entry: unknown) => (typeof entry === 'string' ? entry : methodOf(entry))) : []
  return {
    id: typeof session_id === 'string' ? session_id : '',
    expiresAt,
    level: typeof aal === 'string' ? aal : 'aal1',
    methods: methods.filter((method) => method !== ''),
  }
}

function methodOf(entry: unknown): string {
  const method = typeof entry === 'object' && entry !== null && 'method' in entry ? entry.method : ''
  return typeof method === 'string' ? method : ''
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
    return JSON.stringify([a.user, a.session]) === JSON.stringify([b.user, b.session])
  }
  if (a.step === 'signed-out' && b.step === 'signed-out') return a.reason === b.reason && a.last?.id === b.last?.id
  return true
}
