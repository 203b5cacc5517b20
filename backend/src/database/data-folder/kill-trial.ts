import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '#database/database.ts'
import { buildTemplate, openDatabase } from '#database/open.ts'
import { sql } from '#database/sql.ts'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const tables = `
  create role service_role nologin bypassrls;
  create table kept (id text primary key, parts int not null);
  create table kept_parts (id text, part int, primary key (id, part));
  grant all on kept, kept_parts to service_role;`

export interface KillTrialParts {
  /** An empty folder inside the repository's `node_modules`, so that the program finds its packages. */
  folder: string
  /** Of the data-folder sources, when this runs from a bundle elsewhere. Default: beside this file. */
  sources?: string
}

export interface Trial {
  acknowledged: number
  /** Acknowledged, and not there after the kill. Must stay empty. */
  lost: string[]
  /** Transactions of which a part is there. Must stay empty. */
  torn: string[]
  reopenMs: number
}

/** Starts a writing program, kills it without warning, opens what it left, and compares that with what it was told. */
export class KillTrials {
  readonly #folder: string
  readonly #program: string
  readonly #template: string
  /** By data folder. */
  readonly #acknowledged = new Map<string, Set<string>>()

  private constructor(folder: string) {
    this.#folder = folder
    this.#program = join(folder, 'writing-program.mjs')
    this.#template = join(folder, 'template.tar.gz')
  }

  static async prepare({ folder, sources }: KillTrialParts): Promise<KillTrials> {
    mkdirSync(folder, { recursive: true })
    const trials = new KillTrials(folder)
    const { build } = await import('esbuild')
    const entry = sources === undefined ? source('./writing-program.ts') : join(sources, 'writing-program.ts')
    const worker = sources === undefined ? source('../pglite/pglite-worker.mjs') : join(sources, '../pglite/pglite-worker.mjs')
    await build({ entryPoints: [entry], outfile: trials.#program, bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' })
    copyFileSync(worker, join(folder, 'pglite-worker.mjs'))
    await buildTemplate({ out: trials.#template, prepare: (database) => database.script('postgres', tables) })
    return trials
  }

  open(dataDir: string): Promise<Database> {
    return openDatabase({ engine: 'pglite', dataDir: join(this.#folder, dataDir), template: this.#template })
  }

  /** @param afterMs from the program's first acknowledged write when `from` is `ready`, else from its start. */
  async run(dataDir: string, from: 'start' | 'ready', afterMs: number): Promise<Trial> {
    const acknowledged = this.#acknowledged.get(dataDir) ?? new Set<string>()
    this.#acknowledged.set(dataDir, acknowledged)
    for (const id of await this.#writeUntilKilled(dataDir, from, afterMs)) acknowledged.add(id)
    const started = performance.now()
    const database = await this.open(dataDir)
    const reopenMs = performance.now() - started
    try {
      return { ...(await this.#compare(database, acknowledged)), reopenMs }
    } finally {
      await database.close()
    }
  }

  async #compare(database: Database, acknowledged: ReadonlySet<string>): Promise<Omit<Trial, 'reopenMs'>> {
    const rows = await database.asAdmin('postgres', (tx) => tx.many<{ id: string; parts: number; found: number }>(sql`
      select id, coalesce(k.parts, 0) as parts, coalesce(p.found, 0)::int as found
      from kept k full join (select id, count(*) as found from kept_parts group by id) p using (id)`))
    const there = new Set(rows.filter((row) => row.parts > 0).map((row) => row.id))
    return {
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter((id) => !there.has(id)),
      torn: rows.filter((row) => row.found !== (row.parts === 5 ? 5 : 0)).map((row) => row.id),
    }
  }

  #writeUntilKilled(dataDir: string, from: 'start' | 'ready', afterMs: number): Promise<string[]> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [this.#program, join(this.#folder, dataDir), this.#template], { stdio: ['ignore', 'pipe', 'pipe'] })
      let said = ''
      let complained = ''
      let doomed = from === 'start'
      const kill = (): void => void setTimeout(() => child.kill('SIGKILL'), afterMs)
      if (doomed) kill()
      child.stdout.on('data', (bytes: Buffer) => {
        said += bytes.toString()
        if (!doomed && said.includes('\nkept ')) {
          doomed = true
          kill()
        }
      })
      child.stderr.on('data', (bytes: Buffer) => { complained += bytes.toString() })
      child.on('close', (_, signal) => {
        if (signal !== 'SIGKILL') reject(new Error(`the writing program ended by itself: ${complained}`))
        // A line that the kill cut short was not told.
        else resolve(said.split('\n').slice(0, -1).filter((line) => line.startsWith('kept ')).map((line) => line.slice(5)))
      })
    })
  }
}

