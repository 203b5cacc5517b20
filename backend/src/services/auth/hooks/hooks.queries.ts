import type { Transaction } from '#database/database.ts'
import { identifier, json, sql } from '#database/sql.ts'

/** Calls a function of the project with one JSON argument, for at most so long. */
export async function callHook(
  tx: Transaction,
  hook: { schema: string; name: string; input: unknown; longestRunMs: number },
): Promise<unknown> {
  const { usual } = await tx.one<{ usual: string }>(sql`select current_setting('statement_timeout') as usual`)
  await tx.execute(sql`select set_config('statement_timeout', ${String(hook.longestRunMs)}, true)`)
  const { answer } = await tx.one<{ answer: unknown }>(sql`select ${identifier(hook.schema, hook.name)}(${json(hook.input)}) as answer`)
  await tx.execute(sql`select set_config('statement_timeout', ${usual}, true)`)
  return answer
}
