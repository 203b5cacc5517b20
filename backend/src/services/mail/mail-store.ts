import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Mail } from './mail.ts'

/** A mail as it is kept. */
export interface StoredMail extends Mail {
  /** Sortable by age, and safe as a file name. */
  id: string
  /** ISO 8601. */
  receivedAt: string
  isRead: boolean
}

/** The mails of the box, newest first. */
export interface MailStore {
  add(mail: Mail): Promise<StoredMail>
  list(): readonly StoredMail[]
  find(id: string): StoredMail | undefined
  setRead(ids: readonly string[], isRead: boolean): Promise<void>
  remove(ids: readonly string[]): Promise<void>
  /** Changes whenever anything in the store does. */
  version(): string
}

export interface MailStoreOptions {
  /** Made when it is missing. Left out: in memory. */
  folder?: string
  /** Older mails go when there are more. Default 500. */
  mostMails?: number
  now?: () => number
}

const extension = '.json'

function isStoredMail(value: unknown): value is StoredMail {
  if (typeof value !== 'object' || value === null) return false
  const mail = value as Partial<Record<keyof StoredMail, unknown>>
  return [mail.id, mail.receivedAt, mail.to, mail.subject, mail.html, mail.text].every((one) => typeof one === 'string')
}

async function readMail(path: string): Promise<StoredMail | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isStoredMail(read) ? read : undefined
  } catch {
    // A file that cannot be read is somebody else's, or was cut short by the end of the machine.
    return undefined
  }
}

// Written aside, flushed, then renamed: a reader finds the whole mail or none.
async function writeWhole(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}.part`
  const file = await open(aside, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(aside, path)
}

async function readFolder(folder: string): Promise<StoredMail[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  await Promise.all(names.filter((name) => name.endsWith('.part')).map((name) => rm(join(folder, name), { force: true })))
  const mails = await Promise.all(names.filter((name) => name.endsWith(extension)).map((name) => readMail(join(folder, name))))
  return mails.filter((mail) => mail !== undefined).sort((left, right) => (left.id < right.id ? 1 : -1))
}

/** Opens the store, with what an earlier run kept. */
export async function openMailStore({ folder, mostMails = 500, now = Date.now }: MailStoreOptions = {}): Promise<MailStore> {
  let mails = folder === undefined ? [] : await readFolder(folder)
  let changes = 0
  const pathOf = (id: string): string => join(folder ?? '', id + extension)
  const keep = async (mail: StoredMail): Promise<void> => {
    if (folder !== undefined) await writeWhole(pathOf(mail.id), JSON.stringify(mail))
  }
  const forget = async (ids: ReadonlySet<string>): Promise<void> => {
    changes += 1
    mails = mails.filter((mail) => !ids.has(mail.id))
    if (folder !== undefined) await Promise.all([...ids].map((id) => rm(pathOf(id), { force: true })))
  }
  // Two mails of one millisecond keep their order.
  let sequence = 0
  const nextId = (): string => `${now().toString(36).padStart(9, '0')}${(sequence++ % 46_656).toString(36).padStart(3, '0')}${randomBytes(5).toString('hex')}`

  return {
    async add(mail) {
      const stored: StoredMail = { ...mail, id: nextId(), receivedAt: new Date(now()).toISOString(), isRead: false }
      await keep(stored)
      mails = [stored, ...mails]
      changes += 1
      const tooOld = mails.slice(mostMails)
      if (tooOld.length > 0) await forget(new Set(tooOld.map(({ id }) => id)))
      return stored
    },
    list: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    async setRead(ids, isRead) {
      const chosen = new Set(ids)
      const changed = mails.filter((mail) => chosen.has(mail.id) && mail.isRead !== isRead).map((mail) => ({ ...mail, isRead }))
      if (changed.length === 0) return
      changes += 1
      const byId = new Map(changed.map((mail) => [mail.id, mail]))
      mails = mails.map((mail) => byId.get(mail.id) ?? mail)
      await Promise.all(changed.map(keep))
    },
    async remove(ids) {
      // Only ids of the store become paths.
      const known = new Set(mails.map(({ id }) => id))
      await forget(new Set(ids.filter((id) => known.has(id))))
    },
    version: () => createHash('sha256').update(`${changes} ${mails[0]?.id ?? ''} ${mails.length}`).digest('base64url').slice(0, 16),
  }
}
