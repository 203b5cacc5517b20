import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { TextMessage } from '#contract/text-sender.ts'

/** A text as it is kept. */
export interface StoredText {
  /** Sortable by age. */
  id: string
  to: string
  message: string
  channel: TextMessage['channel']
  /** ISO 8601. */
  receivedAt: string
}

/** The texts of the box, newest first. */
export interface PhoneStore {
  add(text: TextMessage): Promise<StoredText>
  list(): readonly StoredText[]
  clear(): Promise<void>
  /** Changes whenever anything in the store does. */
  version(): string
}

export interface PhoneStoreOptions {
  /** Made when it is missing. Left out: in memory. */
  folder?: string
  now?: () => number
}

/** Older texts go when there are more. */
const mostTexts = 200

function isStoredText(value: unknown): value is StoredText {
  if (typeof value !== 'object' || value === null) return false
  const text = value as Partial<Record<keyof StoredText, unknown>>
  return [text.id, text.to, text.message, text.receivedAt].every((one) => typeof one === 'string') && (text.channel === 'sms' || text.channel === 'whatsapp')
}

async function readTexts(path: string): Promise<StoredText[]> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return Array.isArray(value) ? value.filter(isStoredText) : []
  } catch {
    // Not there yet, or cut short by the end of the machine: codes of an earlier run are worth nothing.
    return []
  }
}

// Written aside, flushed, then renamed: a reader finds the whole list or the one before.
async function writeWhole(path: string, content: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}.part`
  const file = await open(aside, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(aside, path)
}

/** Opens the store, with what an earlier run kept. */
export async function openPhoneStore({ folder, now = Date.now }: PhoneStoreOptions = {}): Promise<PhoneStore> {
  const path = folder === undefined ? undefined : join(folder, 'texts.json')
  if (folder !== undefined) await mkdir(folder, { recursive: true, mode: 0o700 })
  let texts = path === undefined ? [] : await readTexts(path)
  let changes = 0
  let saved = Promise.resolve()
  const save = (): Promise<void> => {
    changes += 1
    // One after the other, each with the list as it is then.
    if (path !== undefined) saved = saved.catch(() => undefined).then(() => writeWhole(path, JSON.stringify(texts)))
    return saved
  }
  return {
    async add({ to, message, channel }) {
      const id = `${now().toString(36).padStart(9, '0')}${randomBytes(6).toString('hex')}`
      const stored: StoredText = { id, to, message, channel, receivedAt: new Date(now()).toISOString() }
      texts = [stored, ...texts].slice(0, mostTexts)
      await save()
      return stored
    },
    list: () => texts,
    async clear() {
      texts = []
      await save()
    },
    version: () => `${changes}-${texts[0]?.id ?? ''}`,
  }
}
