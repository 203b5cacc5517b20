import { decodeCookieValue, isVerifierCookie, keptCookie, type Cookie } from './cookie-jar.ts'
import type { ProjectClient } from './client.ts'
import { toAppError } from './unwrap.ts'
import { AppError } from './app-error.ts'

/**
 * The proofs (PKCE verifiers) this browser keeps of the sign-ins it began, one slot a flow, plus the newest under a fixed name.
 * @see @supabase/auth-js `lib/helpers.ts`, `storePKCEVerifier`
 */
interface Proof {
  /** Null: the one under the fixed name, which has no slot of its own. */
  flowId: string | null
}

/** What a cookie of the official client holds, decoded. */
export const cookieText = (cookies: Cookie[], name: string): string | undefined => {
  const value = cookies.find((cookie) => cookie.name === name)?.value
  return value === undefined ? undefined : (decodeCookieValue(value) ?? undefined)
}

function flowIds(cookies: Cookie[], key: string): string[] {
  try {
    const value: unknown = JSON.parse(cookieText(cookies, `${key}-flows-code-verifier`) ?? '[]')
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** The flow a cookie holds the proof of, undefined for any other cookie. */
export function flowIdOf(cookieName: string, key: string): string | undefined {
  return cookieName.startsWith(`${key}-flow-`) ? /^([0-9a-f]+)-code-verifier$/.exec(cookieName.slice(`${key}-flow-`.length))?.[1] : undefined
}

/** The flows whose proofs are there, oldest first. Two tabs that begin at once lose one from the client's own list: those come first. */
export function listSlots(cookies: Cookie[], key: string): string[] {
  const present = new Set(cookies.flatMap(({ name }) => flowIdOf(name, key) ?? []))
  const listed = flowIds(cookies, key).filter((id) => present.has(id))
  return [...[...present].filter((id) => !listed.includes(id)), ...listed]
}

/** The proofs in the order to try them: the flow the address names, else newest first. */
export function listProofs(cookies: Cookie[], key: string, named: string | null): Proof[] {
  const slots = listSlots(cookies, key)
  const newestFirst = slots.toReversed()
  const ordered = named && slots.includes(named) ? [named, ...newestFirst.filter((id) => id !== named)] : newestFirst
  const fixed = cookieText(cookies, `${key}-code-verifier`)
  const isCopy = slots.some((id) => cookieText(cookies, `${key}-flow-${id}-code-verifier`) === fixed)
  return [...ordered.map((flowId) => ({ flowId })), ...(fixed !== undefined && !isCopy ? [{ flowId: null }] : [])]
}

/** A wrong proof does not use the code up; anything else the server says is final. */
const mayTryAnother = (error: AppError) => error.code === 'bad_code_verifier'

export type Exchange = { kind: 'done'; recovery: boolean } | { kind: 'failed'; error: AppError }

/**
 * Gives a callback's code to the server with each proof this browser keeps, until one fits.
 * The official client throws a proof away whenever it fails, even for want of a network; here it is put back,
 * so that the person can try again and other flows under way still find theirs.
 */
export async function exchangeCode({ client, cookies, cookieSettings }: ProjectClient, code: string, namedFlow: string | null): Promise<Exchange> {
  const before = await cookies.getAll()
  const proofs = listProofs(before, cookies.name, namedFlow)
  const backup = before.filter((cookie) => isVerifierCookie(cookie.name, cookies.name)).map((cookie) => keptCookie(cookieSettings, cookie))
  let error = new AppError('missing', 'This browser holds no proof of a sign-in under way', { code: 'pkce_code_verifier_not_found' })

  for (const { flowId } of proofs) {
    const answer = await client.auth.exchangeCodeForSession(code, flowId === null ? undefined : { flowId })
    // The kind of flow is told at run time, though not by the types.
    const { redirectType } = answer.data as { redirectType?: string | null }
    if (!answer.error) return { kind: 'done', recovery: redirectType === 'recovery' }
    error = toAppError(answer.error)
    await cookies.setAll(backup)
    if (!mayTryAnother(error)) break
  }
  return { kind: 'failed', error }
}
