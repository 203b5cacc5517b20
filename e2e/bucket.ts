import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { box, page } from './stage.ts'

// What is on the person's machine, for `localFile`.
export let folder: string

/** A folder on the person's machine while the journeys of one file run. */
export function setFolder(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-files-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
}

export const row = (name: string) => page.getByRole('row', { name, exact: true })
export const filePicker = () => page.locator('input[type=file][multiple]')
export const tray = () => page.getByRole('region', { name: /upload/i })
export const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'))

/** A file on the person's machine. */
export async function localFile(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  return path
}

/** A request past the policies, as the project's owner could make it. */
export const asService = (path: string, method: string, { body, type = 'application/json' }: { body?: string | Buffer; type?: string } = {}) =>
  fetch(`${box.status.API_URL}/storage/v1${path}`, {
    method,
    headers: { apikey: box.status.SECRET_KEY, authorization: `Bearer ${box.status.SECRET_KEY}`, 'content-type': type },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  })

export const put = async (path: string, content: string | Buffer, type = 'text/plain') => expect((await asService(`/object/${path}`, 'PUT', { body: content, type })).status).toBe(200)
export const stored = async (path: string) => Buffer.from(await (await asService(`/object/authenticated/${path}`, 'GET')).arrayBuffer())
export const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
