// A program to be killed: writes without end, and says on standard output what was acknowledged to it.
import { writeSync } from 'node:fs'
import type { Caller } from '#contract/caller.ts'
import { openDatabase } from '#database/open.ts'
import { sql } from '#database/sql.ts'

const [dataDir = '', template = '', writers = '4'] = process.argv.slice(2)
const caller: Caller = { role: 'service_role', claims: {} }
const say = (line: string): void => void writeSync(1, `${line}\n`)

const database = await openDatabase({ engine: 'pglite', dataDir, template, timeouts: { callerMs: 60_000 } })
say('ready')

async function write(writer: string): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    const id = `${process.pid}-${writer}-${turn}`
    if (turn % 4 !== 3) {
      await database.batchAsCaller(caller, [sql`insert into kept (id, parts) values (${id}, 1)`])
    } else {
      await database.asAdmin('postgres', async (tx) => {
        for (let part = 1; part <= 5; part += 1) await tx.execute(sql`insert into kept_parts (id, part) values (${id}, ${part})`)
        await tx.execute(sql`insert into kept (id, parts) values (${id}, 5)`)
      })
    }
    say(`kept ${id}`)
    if (turn % 40 === 39) await database.script('postgres', 'checkpoint')
  }
}

await Promise.all(Array.from({ length: Number(writers) }, (_, index) => write(String(index))))
