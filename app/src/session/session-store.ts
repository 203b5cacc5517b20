import { readClaims } from '#api/cookie-jar.ts'
import type { AuthChangeEvent, ProjectClient, Session, User } from '#api/client.ts'
import { toAppError } from '#api/unwrap.ts'
import { createEventLog } from './event-log.ts'
import { followPage } from './page-events.ts'
import { createRecoveryFlag, type RecoveryFlag } from './recovery.ts'
import { findMissingFactor, isSignedIn, readFacts, reasonOfVerdict, sameState, userFromClaims, type LastPerson, type SessionState, type SignedOutReason } from './session-state.ts'
import { stepUpQuestion } from './step-up-call.ts'

export type SignOutScope = 'local' | 'others' | 'global'

/** Told to the other tabs before a session ends here, so that they can say why. */
interface Notice {
  sessionId: string
  reason: SignedOutReason
}

/** Longer ago than this, a server's answer has nothing to do with the sign-out at hand. */
const freshMs = 15_000
const verifyEveryMs = 30_000
const mendEveryMs = 60_000

/**
 * The one place that knows who is signed in. Every tab has its own; they agree through the cookie.
 *
 * Events of the client, of other tabs and of the page only make it look: what it says is what the cookie holds.
 * So a `SIGNED_IN` that signs nobody in changes nothing, and the loser of a refresh race finds the winner's session.
 */
export class SessionStore {
  readonly connection: ProjectClient
  /** What the client told and what came of it, for the inspector. */
  readonly events = createEventLog()
  readonly #page: Window
  readonly #recovery: RecoveryFlag
  readonly #listeners = new Set<() => void>()
  readonly #expected = new Map<string, { reason: SignedOutReason; at: number }>()
  #state: SessionState = { step: 'starting' }
  #channel: BroadcastChannel | undefined
  #settling: Promise<void> | undefined
  #settleAgain = false
  #verifiedAt = 0
  #mendedAt = 0
  /** The access token of the mixture that was last sent to be renewed. */
  #repaired = ''
  /** The session that ended last, by its id. */
  #lostSession = ''
  #closing: ReturnType<typeof setTimeout> | undefined

  constructor(connection: ProjectClient, page: Window = window) {
    this.connection = connection
    this.#page = page
    this.#recovery = createRecoveryFlag(connection.project.id, page.localStorage)
  }

  /** The state in hand; the same object until something a screen can see has changed. */
  readonly current = (): SessionState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads the stored session and follows it. Gives what stops it; stopped and started again at once, it goes on. */
  start(): () => void {
    clearTimeout(this.#closing)
    if (!this.connection.cookies.works()) {
      this.#become({ step: 'cookies-blocked' })
      return () => {}
    }
    const stops = [
      followPage(this.#page, (why) => void (why === 'seen' ? this.settle().then(() => this.verify()) : this.settle())),
      this.#listenToTabs(),
      this.connection.onRefusedToken(() => void this.#mendRefusedToken()),
      // A browser that dropped part of a session holds a damaged one: better said now than at the next reload.
      this.connection.cookies.onLostWrite(() => void this.settle()),
    ]
    const opened = this.#open()
    return () => {
      for (const stop of stops) stop()
      void opened.then((unsubscribe) => unsubscribe())
      this.#closing = setTimeout(() => this.connection.close(), 0)
    }
  }

  /** Reads what is stored now and tells every screen. One at a time; a call meanwhile makes it look once more. */
  settle(): Promise<void> {
    if (this.#settling) {
      this.#settleAgain = true
      return this.#settling
    }
    this.#settling = this.#settleUntilQuiet().finally(() => {
      this.#settling = undefined
    })
    return this.#settling
  }

  /** Asks the server whether the session still stands, at most twice a minute. Offline, it changes nothing. */
  async verify(): Promise<void> {
    const state = this.#state
    if (!isSignedIn(state) || Date.now() - this.#verifiedAt < verifyEveryMs) return
    this.#verifiedAt = Date.now()
    const { data, error } = await this.connection.client.auth.getUser()
    if (!error) {
      // What changed elsewhere, such as an address confirmed on the phone, shows here as well.
      this.connection.keepUser(data.user)
      return this.settle()
    }
    const { code } = toAppError(error)
    // A token may be refused only because clocks differ or keys were changed: the refresh token decides.
    if (code === 'bad_jwt' && !(await this.#refreshIsRefused())) return this.settle()
    const reason = reasonOfVerdict(code)
    if (!reason) return this.settle()
    // Another tab may just have said why: that is the better word.
    if (!this.#expectation(state.session.id)) this.#expect(state.session.id, reason)
    await this.connection.client.auth.signOut({ scope: 'local' })
    return this.settle()
  }

  /** Signs out. Gives the failure when the server could not be told; the session then stands. */
  async signOut(scope: SignOutScope): Promise<Error | null> {
    const state = this.#state
    const { auth } = this.connection.client
    if (scope === 'others') return (await auth.signOut({ scope })).error
    if (isSignedIn(state)) this.#expect(state.session.id, 'signed-out-here')
    const { error } = await this.connection.proofs.keepOthers(() => auth.signOut({ scope }))
    if (error) this.#expected.clear()
    else {
      this.#recovery.clear()
      await this.connection.proofs.sweep('signed-out')
    }
    await this.settle()
    return error
  }

  /**
   * Takes the session out of the cookies without ending it: who holds its tokens can come back to it. Every tab is at the
   * door then, as after signing out.
   */
  async setAside(): Promise<void> {
    const state = this.#state
    await this.connection.cookies.clear()
    if (isSignedIn(state)) this.#expect(state.session.id, 'set-aside')
    await this.connection.client.realtime.setAuth()
    await this.settle()
  }

  /** The account is gone, and with it every session of it: leaves without telling a server that knows nobody by that token. */
  async leaveDeleted(): Promise<void> {
    if (isSignedIn(this.#state)) this.#expect(this.#state.session.id, 'signed-out-here')
    await this.connection.forget()
    this.#recovery.clear()
    await this.connection.proofs.sweep('signed-out')
    await this.settle()
  }

  /** Marks the present session as opened by a recovery mail: a new password comes next. */
  async beginRecovery(): Promise<void> {
    const stored = await this.connection.cookies.inspect()
    if (stored.kind === 'sound') this.#recovery.set(readFacts(readClaims(stored.accessToken) ?? {}, stored.expiresAt).id)
    await this.settle()
  }

  /** The new password is chosen, or the person will choose it later. */
  endRecovery(): Promise<void> {
    this.#recovery.clear()
    return this.settle()
  }

  /** The reason of the sign-out was read; the sign-in page is plain from now on. */
  dismissReason(): void {
    if (this.#state.step === 'signed-out') this.#become({ ...this.#state, reason: null })
  }

  async #open(): Promise<() => void> {
    const { auth } = this.connection.client
    await this.#clearDamage()
    await auth.initialize()
    const { subscription } = auth.onAuthStateChange((event) => void this.#onEvent(event)).data
    // The client's own channel to other tabs, which no method of it gives: what comes over it was told by another tab.
    const { broadcastChannel } = auth as unknown as { broadcastChannel?: BroadcastChannel | null }
    broadcastChannel?.addEventListener('message', ({ data }: MessageEvent<{ event?: unknown }>) => this.events.markElsewhere(data.event))
    await this.settle()
    void this.verify()
    void this.connection.proofs.sweep('opened')
    return () => subscription.unsubscribe()
  }

  async #onEvent(event: AuthChangeEvent) {
    this.events.add('client', event)
    if (event === 'PASSWORD_RECOVERY') return this.beginRecovery()
    // The client tells its socket of new tokens, except after these two.
    if (event === 'MFA_CHALLENGE_VERIFIED' || event === 'USER_UPDATED') void this.connection.client.realtime.setAuth()
    return this.settle()
  }

  async #settleUntilQuiet() {
    do {
      this.#settleAgain = false
      await this.#settleOnce()
    } while (this.#settleAgain)
  }

  async #settleOnce() {
    if (await this.#clearDamage()) return
    const before = await this.connection.cookies.inspect()
    if (before.kind === 'none') return this.#becomeSignedOut(this.#reasonOfAbsence())
    if (before.kind === 'sound' && before.mixed && (await this.#isBeyondRepair(before.accessToken))) return this.#clear()
    const { data } = await this.connection.client.auth.getSession()
    if (data.session) return this.#becomeSignedIn(data.session)
    const after = await this.connection.cookies.inspect()
    if (after.kind !== 'sound') return this.#becomeSignedOut(this.#reasonOfAbsence())
    // Past the token's life with no way to renew it: offline. The person stays who they were.
    const claims = readClaims(after.accessToken) ?? {}
    if (!isSignedIn(this.#state)) this.#become({ step: 'signed-in', user: userFromClaims(claims), session: readFacts(claims, after.expiresAt) })
  }

  /** Cookies that hold no readable session would be read, and fail, for ever: they go, and the person is told. */
  async #clearDamage(): Promise<boolean> {
    if ((await this.connection.cookies.inspect()).kind !== 'damaged') return false
    await this.#clear()
    return true
  }

  async #clear() {
    await this.connection.cookies.clear()
    this.#becomeSignedOut('damaged-cookies')
  }

  /** A mixture of two sessions is renewed once; a new session is whole again. */
  async #isBeyondRepair(accessToken: string): Promise<boolean> {
    if (this.#repaired === accessToken) return false
    this.#repaired = accessToken
    return this.#refreshIsRefused()
  }

  async #becomeSignedIn(session: Session) {
    const claims = readClaims(session.access_token) ?? {}
    const facts = readFacts(claims, (session.expires_at ?? 0) * 1000)
    const user = await this.#userOf(session, claims)
    if (this.#state.step === 'signed-out') void this.connection.proofs.sweep('signed-in')
    const isRecovering = this.#recovery.isSet(facts.id)
    // A new password comes before setting up a second factor, and after showing one.
    const need = findMissingFactor(user, facts.level, !isRecovering && this.connection.project.door?.secondFactor.required === true)
    if (need) return this.#become({ step: 'second-factor', user, session: facts, need, last: this.#whoLeft() })
    this.#become({ step: isRecovering ? 'recovering' : 'signed-in', user, session: facts })
  }

  /** Whose place the address may hold, until a session is whole. */
  #whoLeft(): LastPerson | null {
    const state = this.#state
    return state.step === 'signed-out' || state.step === 'second-factor' ? state.last : null
  }

  /** Cookies may be shared with an app on another origin while the stored user object is not: then it is missing, or someone else's. */
  async #userOf(session: Session, claims: Record<string, unknown>): Promise<User> {
    // Where there is none, the client puts an object that throws at every touch but this one.
    const stored = session.user as User & { __isUserNotAvailableProxy?: true }
    if (stored && stored['__isUserNotAvailableProxy'] !== true && stored.id === claims['sub']) return stored
    const known = this.#state
    if (isSignedIn(known) && known.user.id === claims['sub']) return known.user
    const { data } = await this.connection.client.auth.getUser()
    if (data.user) this.connection.keepUser(data.user)
    return data.user ?? userFromClaims(claims)
  }

  #becomeSignedOut(reason: SignedOutReason | null) {
    const before = this.#state
    if (isSignedIn(before)) this.#lostSession = before.session.id
    const last = isSignedIn(before) ? { id: before.user.id, email: before.user.email ?? '' } : before.step === 'signed-out' ? before.last : null
    const kept = before.step === 'signed-out' ? (before.reason ?? reason) : reason
    this.#become({ step: 'signed-out', reason: reason === 'damaged-cookies' ? reason : kept, last })
  }

  /** A person who was not signed in here is told nothing, unless the server has just refused a stored session. */
  #reasonOfAbsence(): SignedOutReason | null {
    const state = this.#state
    if (state.step === 'signed-out') return null
    const expected = isSignedIn(state) ? this.#expectation(state.session.id) : undefined
    if (expected) return expected
    const verdict = this.connection.lastVerdict()
    const judged = verdict && Date.now() - verdict.at < freshMs ? reasonOfVerdict(verdict.code) : undefined
    return judged ?? (isSignedIn(state) ? 'cookies-lost' : null)
  }

  #expectation(sessionId: string): SignedOutReason | undefined {
    const expected = this.#expected.get(sessionId)
    return expected && Date.now() - expected.at < freshMs ? expected.reason : undefined
  }

  #expect(sessionId: string, reason: SignedOutReason) {
    this.#expected.set(sessionId, { reason, at: Date.now() })
    const notice: Notice = { sessionId, reason }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel stays within the origin
    this.#channel?.postMessage(notice)
  }

  #listenToTabs(): () => void {
    const channel = new BroadcastChannel(`${this.connection.cookies.name}-portico`)
    this.#channel = channel
    channel.addEventListener('message', ({ data }: MessageEvent<Notice>) => {
      const reason = data.reason === 'signed-out-here' || data.reason === 'set-aside' ? 'signed-out-elsewhere' : data.reason
      this.#expected.set(data.sessionId, { reason, at: Date.now() })
      // A session set aside is told by nothing else.
      void this.settle()
      // The cookie may have gone, or the server may have said no, before this word came.
      const state = this.#state
      if (state.step !== 'signed-out' || data.sessionId !== this.#lostSession) return
      if (state.reason === 'cookies-lost' || state.reason === 'revoked') this.#become({ ...state, reason })
    })
    return () => channel.close()
  }

  /** A refused token is renewed once a minute at most; refused again, the server is asked about the session itself. */
  async #mendRefusedToken() {
    if (!isSignedIn(this.#state) || Date.now() - this.#mendedAt < mendEveryMs) return
    this.#mendedAt = Date.now()
    if (!(await this.#refreshIsRefused())) return
    this.#verifiedAt = 0
    await this.verify()
  }

  async #refreshIsRefused(): Promise<boolean> {
    const { error } = await this.connection.client.auth.refreshSession()
    return error !== null && toAppError(error).kind === 'signed-out'
  }

  #become(next: SessionState) {
    this.connection.expectUser(isSignedIn(next))
    if (sameState(this.#state, next)) return
    // What one person was asked to prove is no question for the next.
    if (isSignedIn(this.#state) && isSignedIn(next) && this.#state.user.id !== next.user.id) stepUpQuestion()?.answer(false)
    if (this.#state.step !== next.step) this.events.add('state', next.step)
    this.#state = next
    for (const listener of this.#listeners) listener()
  }
}
