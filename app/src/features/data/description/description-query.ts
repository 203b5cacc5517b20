import { tableAt } from '#features/data/rows/table-at.ts'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { AppError } from '#api/app-error.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import type { Source } from '#features/data/source.ts'
import { columnName } from '#features/data/view/wire-text.ts'
import type { Row } from '#features/data/rows/row.ts'
import { readCached, writeCached } from './cache.ts'
import { isDescription, isUnchanged, type Description, type SchemaDescription } from './description.ts'
import { describeNamed, readNamedTables, type NamedTable } from './named-tables.ts'
import { describeFromOpenApi } from './openapi.ts'

/** What is known of the project's schema, and how it became known. */
export interface Knowledge {
  /** `named`: the project lists nothing, and tables are those the person named. */
  from: 'function' | 'openapi' | 'named'
  description: Description
}

const freshMs = 5 * 60_000

/** The schema as the signed-in role may use it: at once from the last visit, brought up to date behind it. */
export const descriptionQuery = (source: Source) => {
  const queryKey = [...source.scope, 'description'] as const
  return queryOptions({
    queryKey,
    staleTime: freshMs,
    gcTime: Infinity,
    queryFn: async ({ client: queries }): Promise<Knowledge> => {
      const held = queries.getQueryData<Knowledge>(queryKey)
      if (held) return refresh(source, held)
      const kept = await readCached(cacheKey(source))
      if (!kept) return learn(source)
      void followUp(queries, source, kept)
      return { from: 'function', description: kept }
    },
  })
}

const cacheKey = ({ project, role }: Source) => `${project.id} ${role}`

async function refresh(source: Source, held: Knowledge): Promise<Knowledge> {
  return held.from === 'function' ? ask(source, held.description) : learn(source)
}

// A failure here is silent: the kept document serves, and what it promises wrongly the server refuses by name.
async function followUp(queries: QueryClient, source: Source, kept: Description): Promise<void> {
  const queryKey = descriptionQuery(source).queryKey
  const latest = await ask(source, kept).catch(() => undefined)
  if (latest && latest.description !== kept) queries.setQueryData(queryKey, latest)
}

async function learn(source: Source): Promise<Knowledge> {
  try {
    return await ask(source)
  } catch (cause) {
    const error = toAppError(cause)
    // Not there, or not granted: the two ways a project says that it does not describe itself.
    if (error.kind !== 'missing' && error.kind !== 'forbidden') throw error
  }
  const root = await askRoot(source)
  return root ?? { from: 'named', description: describeNamed(await readNamed(source), source.role) }
}

async function ask(source: Source, kept?: Description): Promise<Knowledge> {
  const answer: unknown = await unwrap(source.client.rpc('portico_describe', kept ? { known: kept.fingerprint } : {}))
  if (kept && isUnchanged(answer)) return { from: 'function', description: kept }
  if (!isDescription(answer)) throw new AppError('missing', 'portico_describe() answered something else')
  const description = { ...answer, schemas: await exposed(source, answer.schemas ?? []) }
  await writeCached(cacheKey(source), description)
  return { from: 'function', description }
}

// The database knows what is granted, not which schemas the data API serves.
async function exposed(source: Source, schemas: readonly SchemaDescription[]): Promise<SchemaDescription[]> {
  const asked = await Promise.all(schemas.map(async (schema) => ({ schema, isServed: schema.name === 'public' || await isServed(source, schema) })))
  return asked.filter(({ isServed }) => isServed).map(({ schema }) => schema)
}

async function isServed({ client }: Source, { name, relations = [] }: SchemaDescription): Promise<boolean> {
  const relation = relations.find(({ can, columns }) => can.select && columns.some((column) => column.can.includes('s')))
  const column = relation?.columns.find(({ can }) => can.includes('s'))?.name ?? '*'
  // A schema of functions alone has nothing to read; what matters is only why the answer is no.
  const { error } = await tableAt(client, { schema: name, name: relation?.name ?? 'portico_describe' }).select(columnName(column)).limit(0)
  return error?.code !== 'PGRST106'
}

async function askRoot({ fetch: ask, project, role }: Source): Promise<Knowledge | undefined> {
  try {
    const reply = await ask(`${project.url}/rest/v1/`, { headers: { apikey: project.key, accept: 'application/openapi+json' } })
    const description = reply.ok ? describeFromOpenApi(await reply.json(), 'public', role) : undefined
    return description && { from: 'openapi', description }
  } catch {
    return undefined
  }
}

async function readNamed(source: Source): Promise<(NamedTable & { rows: Row[] })[]> {
  return Promise.all(readNamedTables(source.project.id).map(async (table) => ({ ...table, rows: await sampleRows(source, table).catch(() => []) })))
}

/** A few rows of a table the person named, to learn its columns from. */
export async function sampleRows({ client }: Source, { schema, name }: NamedTable): Promise<Row[]> {
  return (await unwrap(tableAt(client, { schema, name }).select('*').limit(20))) as Row[]
}
