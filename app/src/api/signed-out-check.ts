import type { ProjectClient } from './client.ts'
import { AppError } from './app-error.ts'
import { toAppError, unwrapAnswer } from './unwrap.ts'

/** What one side is told: rows of a table, or the answer of an address. */
export type Sight =
  | { kind: 'rows'; count: number; /** Names of the columns of the first row, in the order they came. */ columns: readonly string[] }
  | { kind: 'answer'; status: number; sizeBytes: number; /** Rows of a list; null for anything else. */ rows: number | null }
  | { kind: 'refused'; error: AppError }

/** The same question asked twice: with the person's token, and with the public key alone. */
export interface Comparison {
  signedIn: Sight
  signedOut: Sight
}

const patienceMs = 20_000

interface Table {
  schema: string
  name: string
}

/** Counts the rows of a table for both; reads one of them for the names of its columns. */
export async function compareTable({ client, openAside }: Pick<ProjectClient, 'client' | 'openAside'>, { schema, name }: Table): Promise<Comparison> {
  const look = async (asked: typeof client): Promise<Sight> => {
    try {
      const query = asked.schema(schema).from(name).select('*', { count: 'exact' }).limit(1)
      const { data, count } = await unwrapAnswer(query.abortSignal(AbortSignal.timeout(patienceMs)))
      const rows = data as unknown as Record<string, unknown>[]
      return { kind: 'rows', count: count ?? rows.length, columns: Object.keys(rows[0] ?? {}) }
    } catch (error) {
      return { kind: 'refused', error: toAppError(error) }
    }
  }
  const [signedIn, signedOut] = await Promise.all([look(client), look(openAside())])
  return { signedIn, signedOut }
}

const readable = /^\/(?:rest|storage)\/v1\/|^\/auth\/v1\/(?:settings|health|\.well-known\/)/

/** Where one may look without changing anything: a GET to these is a read. What matters is where `..` leads: a link may have brought the path. */
export const isReadable = (path: string): boolean => readable.test(path) && readable.test(new URL(`http://project.invalid${path}`).pathname)

/**
 * Asks one address of the project for both.
 *
 * @param path below the project's URL, with its query: `/rest/v1/tickets?select=id`
 */
export async function compareAddress(connection: ProjectClient, path: string): Promise<Comparison> {
  const { project, client } = connection
  const { data } = await client.auth.getSession()
  const look = async (ask: typeof fetch, token: string | undefined): Promise<Sight> => {
    // A key of the newer kind is no token; the older one is, and the data API wants it as such.
    const bearer = token ?? (project.key.startsWith('sb_') ? undefined : project.key)
    try {
      const headers = { apikey: project.key, prefer: 'count=exact', ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) }
      const answer = await ask(`${project.url}${path}`, { headers, signal: AbortSignal.timeout(patienceMs) })
      return await readSight(answer)
    } catch (error) {
      return { kind: 'refused', error: toAppError(error) }
    }
  }
  const [signedIn, signedOut] = await Promise.all([look(connection.fetch, data.session?.access_token), look(connection.asideFetch, undefined)])
  return { signedIn, signedOut }
}

async function readSight(answer: Response): Promise<Sight> {
  const body = await answer.blob()
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false
  const value: unknown = isJson ? await body.text().then((text) => JSON.parse(text) as unknown).catch(() => null) : null
  if (!answer.ok) return { kind: 'refused', error: toAppError(value ?? { message: answer.statusText }, answer.status) }
  const counted = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1]
  return { kind: 'answer', status: answer.status, sizeBytes: body.size, rows: counted !== undefined ? Number(counted) : Array.isArray(value) ? value.length : null }
}
