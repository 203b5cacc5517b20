import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

export interface Target {
  API_URL: string
  MAILBOX_URL: string
  PUBLISHABLE_KEY: string
  SECRET_KEY: string
  ANON_KEY: string
  SERVICE_ROLE_KEY: string
  JWT_SECRET: string
  STORAGE_S3_URL: string
  S3_PROTOCOL_ACCESS_KEY_ID: string
  S3_PROTOCOL_ACCESS_KEY_SECRET: string
  S3_PROTOCOL_REGION: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    target: Target
  }
}

const root = join(import.meta.dirname, '..')

function status(project: string): Promise<Target | undefined> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['tools/status.mjs', '--json', '--project', project], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    let said = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    child.once('exit', (code) => resolve(code === 0 ? (JSON.parse(said) as Target) : undefined))
  })
}

// The same promises hold on a Postgres of one's own; it must be one that may be filled.
const onDatabase = process.env.PORTICO_CONFORMANCE_DATABASE ? ['--database', process.env.PORTICO_CONFORMANCE_DATABASE] : []

/** Starts the real command over a copy of the conformance project, unless a running project is named. */
export default async function setup(project: TestProject) {
  const named = process.env.PORTICO_CONFORMANCE_STATUS
  if (named) {
    project.provide('target', JSON.parse(named) as Target)
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'portico-conformance-'))
  await cp(join(root, 'conformance/project'), folder, { recursive: true })
  const box = spawn(process.execPath, ['tools/start.mjs', '--project', folder, '--port', '0', ...onDatabase], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  box.stdout.on('data', (chunk) => (said += chunk))
  box.stderr.on('data', (chunk) => (said += chunk))
  let found: Target | undefined
  for (const until = Date.now() + 120_000; !found && Date.now() < until && box.exitCode === null; ) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    found = await status(folder)
  }
  if (!found) {
    box.kill('SIGKILL')
    throw new Error(`The box for the conformance tests did not start:\n${said}`)
  }
  project.provide('target', found)
  return async () => {
    const ended = new Promise((resolve) => box.once('exit', resolve))
    box.kill('SIGINT')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}
