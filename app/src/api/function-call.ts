import type { ProjectClient } from './client.ts'
import { AppError } from './app-error.ts'

/** One request to an edge function, as it goes over the wire. */
export interface FunctionCall {
  name: string
  /** After the name: empty, or `/more/of/it`. */
  path: string
  method: string
  query: readonly (readonly [name: string, value: string])[]
  headers: readonly (readonly [name: string, value: string])[]
  body: BodyInit | null
  /** What the body is, unless a header of one's own says otherwise; null leaves it to the browser. */
  contentType: string | null
  /** With the person's token, or with the project's public key alone. */
  as: 'user' | 'public'
  /** `any`, or one of `functionRegions`. */
  region: string
}

/** @see @supabase/functions-js `types.ts`, FunctionRegion */
export const functionRegions = [
  'any', 'ap-northeast-1', 'ap-northeast-2', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2', 'ca-central-1', 'eu-central-1',
  'eu-west-1', 'eu-west-2', 'eu-west-3', 'sa-east-1', 'us-east-1', 'us-west-1', 'us-west-2',
]

/** Why no answer came. `blocked`: the project is there, yet the browser was not admitted or the line was cut. */
export type NoAnswer = 'stopped' | 'offline' | 'unreachable' | 'blocked'

/** Why the platform before a function, or the worker it runs in, refused; each is a key of the catalogue's `functions.refusals`. */
export type PlatformRefusal = 'boot' | 'worker' | 'limit' | 'timeout' | 'not-found' | 'unauthorized'

const refusalByCode: Readonly<Record<string, PlatformRefusal>> = {
  BOOT_ERROR: 'boot',
  WORKER_ERROR: 'worker',
  EDGE_FUNCTION_ERROR: 'worker',
  WORKER_LIMIT: 'limit',
  WORKER_RESOURCE_LIMIT: 'limit',
  IDLE_TIMEOUT: 'timeout',
  NOT_FOUND: 'not-found',
}

/**
 * Reads a code of the platform; undefined for one it does not have.
 * @see https://supabase.com/docs/guides/functions/status-codes, …/error-codes
 */
export const refusalOfCode = (code: string): PlatformRefusal | undefined =>
  code.startsWith('UNAUTHORIZED_') ? 'unauthorized' : Object.hasOwn(refusalByCode, code) ? refusalByCode[code] : undefined

/** The address of a call. Undefined when the path leads out of the function. */
export function functionAddress(projectUrl: string, { name, path, query, region }: Pick<FunctionCall, 'name' | 'path' | 'query' | 'region'>): URL | undefined {
  const start = `${projectUrl}/functions/v1/${encodeURIComponent(name)}`
  const address = new URL(start + path)
  const root = new URL(start).pathname
  // `..` is resolved by every client: it would ask another service.
  if (address.pathname !== root && !address.pathname.startsWith(`${root}/`)) return undefined
  for (const [key, value] of query) address.searchParams.append(key, value)
  if (region !== 'any') address.searchParams.set('forceFunctionRegion', region)
  return address
}

/**
 * Calls a function as the official client would, and gives the answer before its body has come: the client itself waits for the
 * whole of it, and knows neither its timing nor a path after the name.
 *
 * @throws AppError `signed-out` when there is no session to call with, `invalid` when the path leads out of the function
 * @see @supabase/functions-js `FunctionsClient.ts`, `invoke`
 */
export async function callFunction({ project, client, fetch, asideFetch }: ProjectClient, call: FunctionCall, signal: AbortSignal): Promise<Response> {
  const address = functionAddress(project.url, call)
  if (!address) throw new AppError('invalid', 'The path leads out of the function', { code: 'portico_function_path' })
  const headers = new Headers({ apikey: project.key })
  if (call.contentType !== null) headers.set('content-type', call.contentType)
  if (call.region !== 'any') headers.set('x-region', call.region)
  const bearer = call.as === 'user' ? await accessToken(client) : publicBearer(project.key)
  if (bearer !== null) headers.set('authorization', `Bearer ${bearer}`)
  for (const [name, value] of call.headers) headers.set(name, value)
  const ask = call.as === 'user' ? fetch : asideFetch
  return ask(address.href, { method: call.method, headers, body: call.body, signal, cache: 'no-store' })
}

async function accessToken(client: ProjectClient['client']): Promise<string> {
  const { data } = await client.auth.getSession()
  if (!data.session) throw new AppError('signed-out', 'There is no session', { code: 'session_not_found' })
  return data.session.access_token
}

/** A key of the newer kind is no token: the official client sends it to functions as `apikey` alone. */
const publicBearer = (key: string): string | null => (key.startsWith('sb_') ? null : key)

/** Tells why a call got no answer: a function that does not admit browsers looks like a dead network to a page. */
export async function whyNoAnswer({ project, asideFetch }: ProjectClient): Promise<Exclude<NoAnswer, 'stopped'>> {
  if (!navigator.onLine) return 'offline'
  try {
    await asideFetch(`${project.url}/auth/v1/health`, { headers: { apikey: project.key }, signal: AbortSignal.timeout(5000) })
    return 'blocked'
  } catch {
    return 'unreachable'
  }
}
