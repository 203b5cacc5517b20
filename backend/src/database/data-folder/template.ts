import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import type { Database } from '#database/database.ts'
import { packTar, unpackTarGz } from './tar.ts'

// The engine writes it at start and never reads it.
const leftOut = new Set(['postmaster.pid', 'postmaster.opts'])

/** Packs a data folder that no engine has open. */
export function packTemplate(dataDir: string, out: string): void {
  mkdirSync(dirname(out), { recursive: true })
  const aside = `${out}.${process.pid}`
  writeFileSync(aside, gzipSync(packTar(dataDir, leftOut), { level: 6 }))
  renameSync(aside, out)
}

async function syncOne(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncTree(folder: string): Promise<void> {
  const inside = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = [folder, ...inside.map((entry) => join(entry.parentPath, entry.name))]
  const workers = Array.from({ length: 8 }, async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await syncOne(path)
  })
  await Promise.all(workers)
}

/** Makes a data folder from a template: whole under its name, or not there at all, whenever the process is killed. */
export async function unpackTemplate(template: string, dataDir: string, durable: boolean): Promise<void> {
  mkdirSync(dirname(dataDir), { recursive: true, mode: 0o700 })
  const aside = join(dirname(dataDir), `.${basename(dataDir)}.unpacking`)
  // What a killed start left. The caller holds the folder's lock, so nobody works on it.
  rmSync(aside, { recursive: true, force: true })
  await unpackTarGz(template, aside)
  if (durable) await syncTree(aside)
  renameSync(aside, dataDir)
  if (durable) await syncOne(dirname(dataDir))
}

export interface TemplateParts {
  /** Where the archive goes; written whole or not at all. */
  out: string
  /** Opens an engine on a folder that does not exist yet. */
  open: (dataDir: string) => Promise<Database>
  /** What a fresh folder is to hold. */
  prepare: (database: Database) => Promise<void>
}

/** Makes a template archive: an initialised data folder, and whatever `prepare` put into it. */
export async function makeTemplate({ out, open: openEngine, prepare }: TemplateParts): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'portico-template-'))
  try {
    const dataDir = join(scratch, 'data')
    const database = await openEngine(dataDir)
    try {
      await prepare(database)
      await database.script('postgres', 'vacuum freeze')
      await database.script('postgres', 'checkpoint')
    } finally {
      await database.close()
    }
    packTemplate(dataDir, out)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
