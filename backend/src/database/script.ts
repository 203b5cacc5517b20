import type { AdminRole } from './database.ts'
import type { Lane } from './sessions.ts'
import { adminIdentity } from './caller-settings.ts'
import { identifier, literal } from './sql.ts'
import { applyDatabaseSettings } from './stored-settings.ts'
import { makeScript } from './wire/request.ts'
import { DatabaseError } from './database-error.ts'

const noLimit = { timeoutMs: 0 }

// A script may leave anything behind: an open transaction, another role, a search_path of its own.
const tidy = `rollback; reset session authorization; reset role; reset all; deallocate all; ${applyDatabaseSettings}`

/** Postgres counts characters, JavaScript UTF-16 units: gives the position as `text.slice(position - 1)` needs it. */
function toUnits(text: string, position: number): number {
  let at = 0
  for (let count = 1; count < position && at < text.length; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at + 1
}

function inUnits(error: DatabaseError, text: string): DatabaseError {
  const { position } = error.facts
  if (position === undefined) return error
  return new DatabaseError({ ...error.facts, position: toUnits(text, position) }, { cause: error })
}

async function must(lane: Lane, text: string): Promise<void> {
  const { error } = await lane.run(makeScript(text), noLimit)
  if (error) throw error
}

/** Runs a text of several statements by the simple protocol, in a session that is clean before and after. */
export async function runScript(lane: Lane, role: AdminRole, text: string): Promise<void> {
  const request = makeScript(text)
  const { searchPath } = adminIdentity(role, {})
  await must(lane, `reset all; set role ${identifier(role).text}; select set_config('search_path', ${literal(searchPath).text}, false)`)
  try {
    const { error, status } = await lane.run(request, noLimit)
    if (error) throw inUnits(error, text)
    // A script that ends inside its own `begin` means what it says.
    if (status === 'T') await must(lane, 'commit')
  } finally {
    await must(lane, tidy).catch(() => undefined)
  }
}
