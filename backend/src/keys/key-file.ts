import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { makeStoredKeys, type StoredKeys } from './keys.ts'

const storedKeys = z.object({
  publishableKey: z.string().startsWith('sb_publishable_'),
  secretKey: z.string().startsWith('sb_secret_'),
  jwtSecret: z.string().min(32),
  issuedAt: z.number().int(),
  signingJwk: z.looseObject({ kty: z.literal('EC'), crv: z.literal('P-256'), d: z.string(), x: z.string(), y: z.string(), kid: z.string() }),
})

/** `keys.json` is there and cannot be used. Says which file, never what is in it. */
export class KeyFileError extends Error {
  constructor(path: string, reason: string, options?: { cause?: unknown }) {
    super(`The key file ${path} ${reason}. Mend it, or remove it to have new keys made (everybody is then signed out).`, options)
    this.name = 'KeyFileError'
  }
}

function parseKeys(path: string, text: string): StoredKeys {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new KeyFileError(path, 'is not JSON', { cause })
  }
  const parsed = storedKeys.safeParse(value)
  if (!parsed.success) throw new KeyFileError(path, `has a fault at ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`)
  return parsed.data as StoredKeys
}

async function readKeys(path: string): Promise<StoredKeys | undefined> {
  try {
    return parseKeys(path, await readFile(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a file that appears whole or not at all, readable by its owner only. */
export async function writePrivately(path: string, text: string, options: { replace: boolean }): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true })
  const aside = `${path}.${randomUUID()}`
  const file = await open(aside, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    // link() refuses an existing name, so that of two first starts only one makes the keys.
    await (options.replace ? rename(aside, path) : link(aside, path))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(aside, { force: true })
  }
}

/**
 * Reads `keys.json`, or makes it on the first start.
 *
 * @throws KeyFileError when the file is there and faulty.
 */
export async function loadKeys(path: string, nowMs: number): Promise<StoredKeys> {
  const found = await readKeys(path)
  if (found) {
    await chmod(path, 0o600)
    return found
  }
  const made = makeStoredKeys(nowMs)
  if (await writePrivately(path, `${JSON.stringify(made, null, 2)}\n`, { replace: false })) return made
  const other = await readKeys(path)
  if (!other) throw new KeyFileError(path, 'vanished while it was read')
  return other
}
