import { createBrowserClient } from '@supabase/ssr'
import { createClient, type AuthChangeEvent, type Session, type SupabaseClient, type User } from '@supabase/supabase-js'
import { sessionCookieName, type Project } from '#project.ts'
import { createCallLog, type CallLog } from './call-log.ts'
import { createConnectionWatch, type ConnectionWatch } from './connection.ts'
import { createCookieJar, type CookieDocument, type CookieJar, type CookieSettings } from './cookie-jar.ts'
import { createProofBook, type ProofBook } from './proof-book.ts'
import { createProjectFetch, type FetchParts, type Verdict } from './project-fetch.ts'

/** The official client, untyped by any schema: the project describes itself at run time. */
export type Client = SupabaseClient
export type { AuthChangeEvent, Session, User }

/** The official client with what Portico knows about its calls and its cookies. */
export interface ProjectClient {
  readonly project: Project
  readonly client: Client
  readonly cookies: CookieJar
  readonly cookieSettings: CookieSettings
  readonly proofs: ProofBook
  readonly calls: CallLog
  readonly connection: ConnectionWatch
  /** The fetch every call goes through, for the few addresses the official client has no method for. */
  readonly fetch: typeof fetch
  /** The same for calls that leave the session out, on purpose. */
  readonly asideFetch: typeof fetch
  /** A client that keeps its session to itself, to see whose a link is before any tab acts as them. */
  openAside(): Client
  /** Puts a newer user object beside the tokens, where the official client looks for it. */
  keepUser(user: User): void
  /** The auth service's latest word on this session, for the reason of a sign-out. */
  lastVerdict(): Verdict | undefined
  /** While true, a call that would go out without the person's token is held back instead of asking as nobody. */
  expectUser(expected: boolean): void
  /** Called when a service other than auth refuses the access token. */
  onRefusedToken(listener: () => void): () => void
  /** Leaves nothing of the session behind here. The project is not told: it knows nobody by it any more. */
  forget(): Promise<void>
  /** Called when the client is closed, before its socket is. */
  onClose(listener: () => void): () => void
  /** Stops timers, channels and the socket. The client is not used after this. */
  close(): void
}

export interface ClientParts {
  /** A parent domain for the session cookie: `example.com`. */
  cookieDomain?: string
  fetch?: typeof fetch
  document?: CookieDocument
  locks?: LockManager
  /** Where the user object is kept beside the tokens; the browser's `localStorage` unless told otherwise. */
  userStorage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** This tab's own storage; the browser's `sessionStorage` unless told otherwise. */
  tabStorage?: Pick<Storage, 'getItem' | 'setItem'>
}

/**
 * Makes the one client of a project. Nothing is read or sent before `client.auth.initialize()`.
 *
 * @see @supabase/ssr `createBrowserClient`
 */
export function createProjectClient(project: Project, parts: ClientParts = {}): ProjectClient {
  const cookieSettings: CookieSettings = {
    name: sessionCookieName(project),
    secure: globalThis.location?.protocol === 'https:',
    ...(parts.cookieDomain ? { domain: parts.cookieDomain } : {}),
  }
  const userStorage = parts.userStorage ?? localStorage
  const cookies = createCookieJar(cookieSettings, { document: parts.document ?? document, locks: parts.locks ?? globalThis.navigator?.locks, storage: userStorage })
  // The session ended with the window; who it was ends with it.
  if (!cookies.isLasting() && !cookies.holdSomething()) userStorage.removeItem(`${cookieSettings.name}-user`)
  const proofs = createProofBook({ cookies, cookieSettings, storage: userStorage, tabStorage: parts.tabStorage ?? sessionStorage })
  const calls = createCallLog()
  const connection = createConnectionWatch()
  const [refusals, closing] = [createListeners(), createListeners()]
  const word: { verdict?: Verdict; userExpected: boolean } = { userExpected: false }

  const fetchParts: FetchParts = {
    fetch: parts.fetch ?? ((input, init) => fetch(input, init)),
    log: calls,
    connection,
    key: project.key,
    mayAskAsNobody: () => !word.userExpected,
    onVerdict: (latest) => {
      word.verdict = latest
    },
    onRefusedToken: refusals.tell,
  }
  const projectFetch = createProjectFetch(fetchParts)
  // Whoever asks aside may ask as nobody, and a refusal is none of the session's.
  const asideFetch = createProjectFetch({ ...fetchParts, mayAskAsNobody: () => true, onRefusedToken: () => {} })
  const client: Client = createBrowserClient(project.url, project.key, {
    isSingleton: false,
    cookieOptions: { ...cookieSettings, path: '/', sameSite: 'lax' },
    cookies: { encode: 'tokens-only', getAll: cookies.getAll, setAll: (writes) => (proofs.note(writes), cookies.setAll(writes)) },
    // Without the switch the client refuses to ask about recovery codes; where the server has none it answers 404.
    auth: { detectSessionInUrl: false, skipAutoInitialize: true, userStorage, experimental: { recoveryCodes: true } },
    // The query layer owns retries; two layers would ask a dead server sixteen times.
    db: { retry: false },
    global: { fetch: projectFetch },
  })

  return {
    project,
    client,
    cookies,
    cookieSettings,
    proofs,
    calls,
    connection,
    fetch: projectFetch,
    asideFetch,
    openAside: () => openAside(project, cookieSettings.name, asideFetch),
    keepUser: (user) => userStorage.setItem(`${cookieSettings.name}-user`, JSON.stringify({ user })),
    lastVerdict: () => word.verdict,
    expectUser(expected) {
      word.userExpected = expected
    },
    onRefusedToken: refusals.add,
    forget: () => forget(client, cookies, userStorage),
    onClose: closing.add,
    close: () => {
      closing.tell()
      close(client)
    },
  }
}

/** Those who want to be told that something happened. */
function createListeners(): { add: (listener: () => void) => () => void; tell: () => void } {
  const held = new Set<() => void>()
  return {
    add(listener) {
      held.add(listener)
      return () => held.delete(listener)
    },
    tell() {
      for (const listener of held) listener()
    },
  }
}

function close(client: Client): void {
  void client.auth.dispose()
  void client.removeAllChannels()
  void client.realtime.disconnect()
}

async function forget(client: Client, cookies: CookieJar, userStorage: Pick<Storage, 'removeItem'>): Promise<void> {
  await cookies.clear()
  // Without a stored session the client has nobody to sign out at the server; it tells the other tabs.
  await client.auth.signOut({ scope: 'local' })
  userStorage.removeItem(`${cookies.name}-user`)
}

const openAside = ({ url, key }: Project, name: string, projectFetch: typeof fetch): Client =>
  createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false, storageKey: `${name}-aside` },
    db: { retry: false },
    global: { fetch: projectFetch },
  })
