import { createBackend, readConfig } from '@portico/backend'
import { createProjectClient, type ProjectClient } from '#api/client.ts'
import { openTestPage, openTestStorage } from '#api/open-test-page.ts'
import type { Project } from '#project.ts'
import { SessionStore } from '#session/session-store.ts'

/** A socket no test opens: the official client wants one to be there, and older Nodes have none. */
class NoSocket {
  close() {}
}
globalThis.WebSocket ??= NoSocket as unknown as typeof WebSocket

const origin = 'http://127.0.0.1:54321'

const configToml = `
project_id = "test"
[auth]
site_url = "${origin}"
jwt_expiry = 3600
minimum_password_length = 8
[auth.email]
enable_signup = true
enable_confirmations = true
double_confirm_changes = true
max_frequency = "1s"
otp_length = 6
`

export interface TestMail {
  to: string
  /** The link of the mail as a hosted project sends it: the server's own address, which redirects with a code. */
  hostedLink: string
  tokenHash: string
  code: string
}

/** One browser: its cookies and storage are shared by its tabs. */
export interface TestBrowser {
  cookies: Map<string, string>
  /** Makes the browser drop cookies of these names, as at its limit. */
  drop: (isDropped: (name: string) => boolean) => void
  openTab: () => TestTab
}

export interface TestTab {
  connection: ProjectClient
  store: SessionStore
  /** What the tab tells its screens, awaited. */
  until: (step: string) => Promise<void>
  /** The person looks at the tab again. */
  look: () => void
  close: () => void
}

export interface TestProject {
  project: Project
  openBrowser: () => TestBrowser
  /** Every call of every tab goes through it first; undefined lets it pass. */
  intercept: (answer: ((request: Request) => Response | undefined) | undefined) => void
  lastMail: (to: string) => Promise<TestMail>
  /** Follows a hosted link as any browser, or any scanner, would: gives the address it ends at. */
  follow: (link: string) => Promise<string>
  /** A confirmed person, made by the administration. */
  addPerson: (email: string, metadata?: Record<string, unknown>) => Promise<string>
  admin: (path: string, method: string, body: unknown) => Promise<Response>
  close: () => Promise<void>
}

export const password = 'first pass word 1'

/** The real backend in memory, reached by the official client through our own session. No port, no mock. */
export async function openTestProject(): Promise<TestProject> {
  const backend = await createBackend({ config: readConfig({ env: {}, configToml }).config, origin })
  const project: Project = { id: `test-${Math.random().toString(36).slice(2)}`, name: 'Test', url: origin, key: backend.keys.publishableKey }
  let interceptor: ((request: Request) => Response | undefined) | undefined
  const openTabs = new Set<() => void>()

  const ask = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const instead = interceptor?.(request)
    if (instead?.type === 'error') throw new TypeError('Failed to fetch')
    return instead ?? backend.fetch(request)
  }
  const admin = (path: string, method: string, body: unknown) =>
    backend.fetch(
      new Request(`${origin}/auth/v1/admin${path}`, {
        method,
        headers: { apikey: backend.keys.secretKey, authorization: `Bearer ${backend.keys.secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )

  return {
    project,
    openBrowser() {
      const cookies = new Map<string, string>()
      const storage = openTestStorage()
      const limit = { isDropped: (_name: string) => false }
      return {
        cookies,
        drop: (isDropped) => {
          limit.isDropped = isDropped
        },
        openTab: () => openTab({ project, cookies, storage, ask, openTabs, limit }),
      }
    },
    intercept: (answer) => {
      interceptor = answer
    },
    async lastMail(to) {
      const box = async (path: string) => (await backend.mailbox?.fetch(new Request(`http://127.0.0.1:54324/api/v1${path}`)))?.json() as Promise<Record<string, unknown>>
      const { messages } = (await box('/messages')) as { messages: { ID: string; To: { Address: string }[] }[] }
      const found = messages.find((message) => message.To[0]?.Address === to)
      if (!found) throw new Error(`no mail to ${to}`)
      const { HTML } = (await box(`/message/${found.ID}`)) as { HTML: string }
      return readMail(to, HTML)
    },
    async follow(link) {
      const response = await backend.fetch(new Request(link))
      return response.headers.get('location') ?? ''
    },
    async addPerson(email, metadata = {}) {
      const response = await admin('/users', 'POST', { email, password, email_confirm: true, user_metadata: metadata })
      return ((await response.json()) as { id: string }).id
    },
    admin,
    async close() {
      for (const close of openTabs) close()
      await backend.close()
    },
  }
}

function readMail(to: string, html: string): TestMail {
  const link = new URL(/href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '')
  const tokenHash = link.searchParams.get('token_hash') ?? ''
  const query = new URLSearchParams({ token: tokenHash, type: link.searchParams.get('type') ?? '', redirect_to: `${origin}/callback` })
  return { to, tokenHash, hostedLink: `${origin}/auth/v1/verify?${query}`, code: />(\d{6})</.exec(html)?.[1] ?? '' }
}

interface TabParts {
  project: Project
  cookies: Map<string, string>
  storage: Storage
  ask: typeof fetch
  openTabs: Set<() => void>
  limit: { isDropped: (name: string) => boolean }
}

function openTab({ project, cookies, storage, ask, openTabs, limit }: TabParts): TestTab {
  const testPage = openTestPage(cookies)
  testPage.drop = (name) => limit.isDropped(name)
  const page = Object.assign(new EventTarget(), {
    localStorage: storage,
    navigator: { onLine: true },
    document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
  })
  const connection = createProjectClient(project, { fetch: ask, document: testPage, userStorage: storage, tabStorage: openTestStorage() })
  const store = new SessionStore(connection, page as unknown as Window)
  const stop = store.start()
  const close = () => {
    openTabs.delete(close)
    stop()
  }
  openTabs.add(close)
  return {
    connection,
    store,
    until: (step) => until(store, step),
    look: () => void page.dispatchEvent(new Event('focus')),
    close,
  }
}

function until(store: SessionStore, step: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`still ${JSON.stringify(store.current()).slice(0, 200)}, not ${step}`)), 5000)
    const look = () => {
      if (store.current().step !== step) return
      clearTimeout(timer)
      stop()
      resolve()
    }
    const stop = store.subscribe(look)
    look()
  })
}
