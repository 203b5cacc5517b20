import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadKeys } from './key-file.ts'
import { makeStoredKeys, resolveKeys } from './keys.ts'
import { makeOpaqueKey } from './opaque-key.ts'
import { resolveS3Keys } from './s3-keys.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-keys-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('keys', () => {
  test('have the hosted shape, with a checksum the self-hosted tools accept', () => {
    const key = makeOpaqueKey('sb_publishable_')
    expect(key).toMatch(/^sb_publishable_[\w-]{22}_[\w-]{8}$/)
    const sum = createHash('sha256').update(`supabase-self-hosted|${key.slice(0, -9)}`).digest('base64url').slice(0, 8)
    expect(key.slice(-8)).toBe(sum)
  })

  test('are made once a data folder, readable by the owner only, and leave nothing beside', async () => {
    const path = join(folder, 'a', 'keys.json')
    const made = await loadKeys(path, 0)
    expect(await loadKeys(path, 99_000)).toEqual(made)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'a'))).toEqual(['keys.json'])
  })

  test('are the same for two starts that race for the first', async () => {
    const path = join(folder, 'b', 'keys.json')
    const all = await Promise.all(Array.from({ length: 5 }, () => loadKeys(path, 0)))
    expect(new Set(all.map((keys) => keys.secretKey)).size).toBe(1)
  })

  test('a faulty file is named with what is wrong and without its content', async () => {
    const path = join(folder, 'keys.json')
    await writeFile(path, JSON.stringify({ publishableKey: 'sb_publishable_x', secretKey: 'leaked', jwtSecret: 'short' }))
    const failure = await loadKeys(path, 0).catch((error: Error) => error)
    expect(String(failure)).toMatch(/keys\.json has a fault at secretKey, jwtSecret/)
    expect(String(failure)).not.toContain('leaked')
  })

  test('given keys win, and a given secret turns access tokens to HS256', () => {
    const stored = makeStoredKeys(0)
    const secret = 'x'.repeat(40)
    const keys = resolveKeys(stored, { publishableKey: 'sb_publishable_mine', jwtSecret: secret })
    expect(keys.publishableKey).toBe('sb_publishable_mine')
    expect(keys.jwtSecret).toBe(secret)
    expect(keys.signing.alg).toBe('HS256')
    expect(resolveKeys(stored).signing.alg).toBe('ES256')
  })

  test('of the S3 protocol belong to a data folder, tell nothing of its secret key, and may be given', () => {
    const [one, two] = [makeStoredKeys(0), makeStoredKeys(0)]
    expect(resolveS3Keys(one.secretKey)).toEqual(resolveS3Keys(one.secretKey))
    expect(resolveS3Keys(one.secretKey).secretAccessKey).not.toBe(resolveS3Keys(two.secretKey).secretAccessKey)
    expect(resolveS3Keys(one.secretKey)).toEqual({ accessKeyId: expect.stringMatching(/^[0-9a-f]{32}$/), secretAccessKey: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const given = { accessKeyId: 'id', secretAccessKey: 'secret' }
    expect(resolveS3Keys(one.secretKey, given)).toEqual(given)
  })

  test('public keys hold no private part', () => {
    expect(JSON.stringify(resolveKeys(makeStoredKeys(0)).publicJwks)).not.toContain('"d"')
  })
})
