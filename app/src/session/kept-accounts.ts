import { AppError } from '#api/app-error.ts'
import type { ProjectClient, Session, User } from '#api/client.ts'
import { readClaims } from '#api/cookie-jar.ts'
import { toAppError } from '#api/unwrap.ts'
import { keptAccountsKey } from './kept-accounts-key.ts'
import { isSignedIn, reasonOfVerdict } from './session-state.ts'
import type { SessionStore } from './session-store.ts'

/** Somebody who stays signed in on this browser while another account is in use. */
export interface KeptAccount {
  /** Of the user. */
  id: string
  /** Empty where none was given. */
  name: string
  /** E-mail address or phone number; empty for a guest. */
  address: string
  /** Address of a picture, or empty. */
  picture: string
}

interface Kept extends KeptAccount {
  access_token: string
  refresh_token: string
}

/** What is kept beyond this many is ended, the oldest first. */
const mostKept = 8
/** A session with less life than this is renewed before it is set aside, so that no tab renews it meanwhile. */
const safeLifeMs = 3 * 60_000

/**
 * The accounts of one project that this browser can go back to without a password.
 *
 * The client and its cookies hold one session. The others rest here, untouched: nobody renews them, so their refresh
 * tokens stay good until the server ends the session.
 */
export class KeptAccounts {
  readonly #store: SessionStore
  readonly #storage: Storage
  readonly #key: string

  constructor(store: SessionStore, storage: Storage = localStorage) {
    this.#store = store
    this.#storage = storage
    this.#key = keptAccountsKey(store.connection.cookies.name)
  }

  /** The newest first; never the one in use. */
  list(): KeptAccount[] {
    const state = this.#store.current()
    return this.#read().filter(({ id }) => !isSignedIn(state) || id !== state.user.id)
  }

  /** Whether the account in use would be kept: it is whole, and lasts beyond the window. */
  keepsPresent(): boolean {
    return this.#store.current().step === 'signed-in' && this.#store.connection.cookies.isLasting()
  }

  /**
   * Comes back to a kept account; the one in use takes its place.
   *
   * @throws AppError `portico_account_ended` when its session is over: it is kept no more.
   */
  async use(id: string): Promise<void> {
    const { connection } = this.#store
    const session = await this.#reopen(id)
    const isKept = this.keepsPresent()
    const present = await readPresent(this.#store)
    connection.cookies.setLasting(true)
    const { error } = await connection.client.auth.setSession(tokensOf(session))
    if (error) throw toAppError(error)
    const dropped = this.#rest(isKept ? present : undefined, id)
    await this.#store.settle()
    if (present && !isKept) dropped.push(present)
    for (const account of dropped) void endAside(connection, account)
  }

  /** Makes room for another sign-in; the account in use is kept where it would be. @throws AppError */
  async setAside(): Promise<void> {
    if (!this.keepsPresent()) {
      const error = await this.#store.signOut('local')
      if (error) throw toAppError(error)
      return
    }
    const dropped = this.#rest(await readPresent(this.#store))
    await this.#store.setAside()
    for (const account of dropped) void endAside(this.#store.connection, account)
  }

  /** Ends the session of a kept account, and keeps it no more even when the project cannot be told. */
  async end(id: string): Promise<void> {
    const account = this.#read().find((kept) => kept.id === id)
    this.#write(this.#read().filter((kept) => kept.id !== id))
    if (account) await endAside(this.#store.connection, account)
  }

  /** The same for all of them. */
  async endAll(): Promise<void> {
    await Promise.all(this.#read().map(({ id }) => this.end(id)))
  }

  /** The session of a kept account as the server has it now, renewed if need be; away from the one in use. */
  async #reopen(id: string): Promise<Session> {
    const account = this.#read().find((kept) => kept.id === id)
    if (!account) throw ended()
    const { data, error } = await this.#store.connection.openAside().auth.setSession(tokensOf(account))
    if (data.session) {
      // The old refresh token may be spent by now.
      const tokens = tokensOf(data.session)
      this.#write(this.#read().map((kept) => (kept.id === id ? { ...kept, ...tokens } : kept)))
      return data.session
    }
    const failure = toAppError(error)
    if (reasonOfVerdict(failure.code) === undefined) throw failure
    this.#write(this.#read().filter((kept) => kept.id !== id))
    throw ended(failure)
  }

  /** Puts an account before the others; gives what is kept no more: an older session of the same person, and whoever falls off the end. */
  #rest(account: Kept | undefined, without?: string): Kept[] {
    const before = this.#read().filter(({ id }) => id !== without)
    const others = before.filter(({ id }) => id !== account?.id)
    const all = account ? [account, ...others] : others
    this.#write(all.slice(0, mostKept))
    const older = before.filter((kept) => kept.id === account?.id && sessionOf(kept) !== sessionOf(account))
    return [...older, ...all.slice(mostKept)]
  }

  #read(): Kept[] {
    return parse(this.#storage.getItem(this.#key))
  }

  #write(accounts: readonly Kept[]): void {
    if (accounts.length === 0) this.#storage.removeItem(this.#key)
    else this.#storage.setItem(this.#key, JSON.stringify(accounts))
  }
}

const ended = (cause?: unknown) => new AppError('signed-out', '', { code: 'portico_account_ended', cause })

const tokensOf = ({ access_token, refresh_token }: Pick<Session, 'access_token' | 'refresh_token'>) => ({ access_token, refresh_token })

const sessionOf = ({ access_token }: Kept) => readClaims(access_token)?.['session_id']

/** The account in use with its tokens, good for a while; undefined when nobody is signed in. */
async function readPresent(store: SessionStore): Promise<Kept | undefined> {
  const { auth } = store.connection.client
  const { data } = await auth.getSession()
  const state = store.current()
  if (!data.session || !isSignedIn(state)) return undefined
  const isShort = (data.session.expires_at ?? 0) * 1000 - Date.now() < safeLifeMs
  const renewed = isShort ? await auth.refreshSession() : undefined
  if (renewed?.error) throw toAppError(renewed.error)
  return { ...describeAccount(state.user), ...tokensOf(renewed?.data.session ?? data.session) }
}

/** The account as it stands in a list. */
export function describeAccount({ id, email, phone, user_metadata: metadata }: User): KeptAccount {
  const text = (name: string) => (typeof metadata[name] === 'string' ? metadata[name] : '')
  return { id, name: text('full_name') || text('name') || text('display_name'), address: email || phone || '', picture: text('avatar_url') }
}

async function endAside(connection: ProjectClient, account: Kept): Promise<void> {
  const { auth } = connection.openAside()
  const { error } = await auth.setSession(tokensOf(account))
  if (!error) await auth.signOut({ scope: 'local' })
}

const members = ['id', 'name', 'address', 'picture', 'access_token', 'refresh_token'] as const

function parse(text: string | null): Kept[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isKept) : []
  } catch {
    return []
  }
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && members.every((member) => typeof (value as Record<string, unknown>)[member] === 'string')
