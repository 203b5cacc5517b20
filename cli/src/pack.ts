import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packSql } from '@portico/backend/pack'
import { CommandError } from './command-error.ts'

const suffix = '_portico_pack.sql'

/** `20261120213000`: how the Supabase CLI numbers migrations, in UTC. */
const stampOf = (now: Date): string => now.toISOString().replace(/\D/g, '').slice(0, 14)

/**
 * Writes the pack as the next migration of a folder, which is made when it is not there.
 *
 * @returns the file's path.
 * @throws CommandError when the folder is something else, or has a pack already.
 */
export function writePack(folder: string, now: Date = new Date()): string {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new CommandError(`${folder} is a file; --write takes a folder of migrations, like supabase/migrations.`)
  mkdirSync(folder, { recursive: true })
  const files = readdirSync(folder)
  const held = files.find((name) => name.endsWith(suffix))
  if (held !== undefined) throw new CommandError(`${join(folder, held)} is there already. To bring it up to date, put what "npm run -s pack" prints into a migration of its own: it can be applied over itself.`)
  // Migrations run in the order of their names: it must come after those that are there.
  const latest = files.map((name) => /^(\d{14})_/.exec(name)?.[1] ?? '').reduce((one, other) => (other > one ? other : one), '')
  const stamp = stampOf(now)
  const file = join(folder, `${latest >= stamp ? stampAfter(latest) : stamp}${suffix}`)
  writeFileSync(file, packSql, { flag: 'wx' })
  return file
}

// A number, not a moment: some projects count on from the last.
const stampAfter = (stamp: string): string => String(BigInt(stamp) + 1n).padStart(14, '0')

/** Prints the pack, or writes it. */
export function runPack(folder: string | undefined): void {
  if (folder === undefined) process.stdout.write(packSql)
  else console.log(`${writePack(folder)}\nApply it with "supabase db push", or paste it into the SQL editor of the project.`)
}
