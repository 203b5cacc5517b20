import { isLoopback } from '#projects/project-url.ts'

/** Why a project could not be proven; each is a key of the catalogue's `connect.faults`. */
export type ProofFault = 'offline' | 'mixed-content' | 'blocked' | 'unreachable' | 'cors' | 'not-a-backend' | 'wrong-key' | 'broken' | 'cookies-blocked'

export type Proof = { ok: true } | { ok: false; fault: ProofFault; technical: string }

export interface ProofParts {
  url: string
  key: string
  fetch: typeof fetch
  page: { protocol: string; isOnline: boolean; keepsCookies: boolean }
  /** Tells, while a call runs, whether the page's own policy refused it. */
  watchPolicy: () => { refused: () => boolean; stop: () => void }
}

const patienceMs = 12_000

/**
 * Asks the project's auth service for its settings and its health with the key. Nothing is kept; what is said of a
 * failure is as near to the cause as a browser can tell.
 */
export async function proveProject(parts: ProofParts): Promise<Proof> {
  const { url, page } = parts
  if (!page.keepsCookies) return failed('cookies-blocked', 'document.cookie did not keep a probe')
  if (page.protocol === 'https:' && url.startsWith('http:') && !isLoopback(url)) return failed('mixed-content', `https page, ${url}`)
  const settings = await ask(parts, '/auth/v1/settings')
  if ('fault' in settings) return settings
  if (!isSettings(settings.body)) return failed('not-a-backend', described(settings))
  const health = await ask(parts, '/auth/v1/health')
  return 'fault' in health ? health : { ok: true }
}

interface Answer {
  path: string
  status: number
  text: string
  body: unknown
}

type Failed = Extract<Proof, { ok: false }>

async function ask(parts: ProofParts, path: string): Promise<Answer | Failed> {
  const policy = parts.watchPolicy()
  let response: Response
  let text: string
  try {
    response = await parts.fetch(`${parts.url}${path}`, { headers: { apikey: parts.key }, credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(patienceMs) })
    text = await response.text()
  } catch (error) {
    return noAnswer(parts, String(error), policy.refused())
  } finally {
    policy.stop()
  }
  const answer = { path, status: response.status, text, body: parse(text) }
  if (response.ok) return answer
  if (response.status === 401 || response.status === 403) return failed('wrong-key', described(answer))
  return failed(response.status >= 500 || response.status === 429 ? 'broken' : 'not-a-backend', described(answer))
}

/** A browser says "failed to fetch" to everything; one more call, whose answer stays hidden, tells a refusal from silence. */
async function noAnswer({ url, page, ...parts }: ProofParts, technical: string, refusedByPolicy: boolean): Promise<Failed> {
  if (refusedByPolicy) return failed('blocked', technical)
  if (!page.isOnline && !isLoopback(url)) return failed('offline', technical)
  try {
    await parts.fetch(`${url}/auth/v1/health`, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(patienceMs) })
    return failed('cors', technical)
  } catch {
    return failed('unreachable', technical)
  }
}

function isSettings(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const { external, disable_signup } = body as Record<string, unknown>
  return typeof external === 'object' && external !== null && typeof disable_signup === 'boolean'
}

const failed = (fault: ProofFault, technical: string): Failed => ({ ok: false, fault, technical })

const described = ({ path, status, text }: Answer) => `GET ${path} answered ${status}\n${text.slice(0, 400)}`

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
