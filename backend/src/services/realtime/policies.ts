import { randomUUID } from 'node:crypto'
import type { RequestFacts } from '#contract/caller.ts'
import type { Database, Transaction } from '#database/database.ts'
import { DatabaseError } from '#database/database-error.ts'
import { insertOwnProbe, insertProbes, selectProbes, takeContext, type Extension, type PolicyContext } from './policies.queries.ts'
import type { Reader } from './tokens.ts'

/** Who asks, about which channel. */
export interface PolicyQuestion {
  reader: Reader
  /** Without the `realtime:` prefix. */
  topic: string
  facts: RequestFacts
}

const timeoutMs = 5_000

/** Carries an answer out of a transaction that must not be committed. */
class Undone extends Error {
  readonly answer: unknown

  constructor(answer: unknown) {
    super('undone')
    this.answer = answer
  }
}

async function undo<T>(run: (work: (tx: Transaction) => Promise<never>) => Promise<never>, ask: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await run(async (tx) => {
      throw new Undone(await ask(tx))
    })
  } catch (error) {
    if (error instanceof Undone) return error.answer as T
    throw error
  }
}

const contextOf = ({ reader, topic, facts }: PolicyQuestion): PolicyContext => ({
  role: reader.role,
  topic,
  claims: JSON.stringify(reader.claims),
  sub: typeof reader.claims.sub === 'string' ? reader.claims.sub : '',
  headers: JSON.stringify(facts.headers),
})

/**
 * Asks the policies on `realtime.messages` what a reader may hear on a channel: messages are put there, looked for as the
 * reader, and taken back.
 *
 * @throws DatabaseError when a policy fails, or the database does.
 * @see supabase/realtime lib/realtime/tenants/authorization.ex
 */
export async function askMayRead(database: Database, question: PolicyQuestion, extensions: readonly Extension[]): Promise<ReadonlySet<Extension>> {
  const probes = extensions.map((extension) => ({ id: randomUUID() as string, extension }))
  const ids = probes.map(({ id }) => id)
  const seen = await undo(
    // The messages' owner puts them there, whatever the policies say.
    (work) => database.asAdmin('supabase_admin', work, { timeoutMs }),
    async (tx) => {
      const context = contextOf(question)
      await insertProbes(tx, question.topic, probes)
      // Sent together, answered in order.
      const [, rows] = await Promise.all([takeContext(tx, context), selectProbes(tx, ids)])
      return new Set(rows.map(({ id }) => id))
    },
  )
  return new Set(probes.filter(({ id }) => seen.has(id)).map(({ extension }) => extension))
}

/**
 * Asks the policies whether a reader may send on a channel.
 *
 * @throws DatabaseError when a policy fails, or the database does.
 */
export async function askMayWrite(database: Database, question: PolicyQuestion, extension: Extension): Promise<boolean> {
  try {
    return await undo(
      (work) => database.asAdmin('supabase_admin', work, { timeoutMs }),
      async (tx) => {
        await takeContext(tx, contextOf(question))
        await insertOwnProbe(tx, question.topic, extension)
        return true
      },
    )
  } catch (error) {
    if (error instanceof DatabaseError && error.sqlstate === '42501') return false
    throw error
  }
}
