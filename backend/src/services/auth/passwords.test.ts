import { createCipheriv, createHash, scryptSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hash as argon2 } from '@node-rs/argon2'
import { sql } from '#database/sql.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { freshEmail, openTestAuth, signUpPerson, testPassword, type TestAuth } from './open-test-auth.ts'
import { createPasswords } from './passwords.ts'
import { defaultAuthSettings } from './settings.ts'

let open: TestAuth
beforeAll(async () => {
  open = await openTestAuth()
})
afterAll(() => open.close())

const rules = { ...defaultAuthSettings.password }

describe('a password hash of another system', () => {
  const firebaseHash = (password: string): string => {
    const [salt, separator, signer] = [Buffer.from('a salt'), Buffer.from('\u0006'), Buffer.from('a signer key of the project it comes from')]
    const key = scryptSync(password, Buffer.concat([salt, separator]), 32, { cost: 2 ** 12, blockSize: 8, parallelization: 1 })
    const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
    const made = Buffer.concat([cipher.update(signer), cipher.final()]).toString('base64')
    return `$fbscrypt$v=1,n=12,r=8,p=1,ss=${separator.toString('base64')},sk=${signer.toString('base64')}$${salt.toString('base64')}$${made}`
  }

  it('is as good as one of ours: bcrypt, Argon2 and Firebase\'s scrypt', async () => {
    const hashes = {
      argon2id: await argon2(testPassword, { memoryCost: 4096, timeCost: 1 }),
      argon2i: await argon2(testPassword, { memoryCost: 4096, timeCost: 1, algorithm: 1 }),
      firebase: firebaseHash(testPassword),
      bcrypt: '$2y$04$GTQlxlPnTIQxYXS3NETTiOHz3ujZXsjzeEWC6/Ry5YKLnQyGfQxpC',
    }
    for (const [name, password_hash] of Object.entries(hashes)) {
      const email = freshEmail()
      const { error } = await open.admin().auth.admin.createUser({ email, email_confirm: true, password_hash })
      expect(error, name).toBeNull()
      if (name !== 'bcrypt') expect((await open.client().auth.signInWithPassword({ email, password: testPassword })).error, name).toBeNull()
      expect((await open.client().auth.signInWithPassword({ email, password: 'something else' })).error?.code, name).toBe('invalid_credentials')
    }
  })

  it('that is none, or would cost too much to compare with, is refused when it is given', async () => {
    const bad = [
      'plain text',
      '$argon2d$v=19$m=4096,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
      '$argon2id$v=16$m=4096,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
      '$argon2id$v=19$m=4194304,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
      '$argon2id$v=19$m=4096,t=100,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
      '$fbscrypt$v=1,n=30,r=8,p=1,ss=Bg==,sk=c2s=$c2FsdA==$aGFzaA==',
      '$2a$31$GTQlxlPnTIQxYXS3NETTiOHz3ujZXsjzeEWC6/Ry5YKLnQyGfQxpC',
      '$fbscrypt$v=2,n=14,r=8,p=1,ss=Bg==,sk=c2s=$c2FsdA==$aGFzaA==',
    ]
    for (const password_hash of bad) expect((await open.admin().auth.admin.createUser({ email: freshEmail(), password_hash })).error?.status, password_hash).toBe(500)
  })
})

it('a hash that would take days to compare with, put there by SQL, keeps nobody waiting', async () => {
  const { client, email, user } = await signUpPerson(open)
  await open.database.asAdmin('postgres', (tx) => tx.execute(sql`update auth.users set encrypted_password = '$2a$31$GTQlxlPnTIQxYXS3NETTiOHz3ujZXsjzeEWC6/Ry5YKLnQyGfQxpC' where id = ${user.id}`))
  const tried = await Promise.all(Array.from({ length: 6 }, () => client.auth.signInWithPassword({ email, password: testPassword })))
  expect(tried.map(({ error }) => error?.code)).toEqual(Array.from({ length: 6 }, () => 'invalid_credentials'))
})

it('who was brought along from another system is not known by how long a wrong password takes', async () => {
  const passwords = createPasswords(2)
  const timeOf = async (storedHash: string | null): Promise<number> => {
    const begun = performance.now()
    expect(await passwords.matches('something else', storedHash)).toBe(false)
    return performance.now() - begun
  }
  const costly = await timeOf('$2b$11$GTQlxlPnTIQxYXS3NETTiOHz3ujZXsjzeEWC6/Ry5YKLnQyGfQxpC')
  const cheap = '$2y$04$GTQlxlPnTIQxYXS3NETTiOHz3ujZXsjzeEWC6/Ry5YKLnQyGfQxpC'
  // Nothing is kept back for longer than two seconds, however slow the machine.
  for (const storedHash of [cheap, null]) expect(await timeOf(storedHash), String(storedHash)).toBeGreaterThan(Math.min(0.6 * costly, 1000))
})

describe('breached passwords', () => {
  let server: Server
  let asked: { path: string; padding: string | string[] | undefined }[] = []
  let isDown = false
  let auth: TestAuth
  const suffixOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase().slice(5)

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push({ path: request.url ?? '', padding: request.headers['add-padding'] })
      response.writeHead(isDown ? 503 : 200)
      response.end(`0000000000000000000000000000000000A:0\r\n${suffixOf('letmein letmein')}:1234\r\n${suffixOf('padding padding')}:0`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const breachedUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    auth = await openTestAuth({ database: open.database, settings: { password: { ...rules, minLength: 20, requiredCharacters: ['ABC'], breachedUrl } } })
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it('are refused with every reason at once, and only five digits of their hash are told', async () => {
    const { error } = await auth.client().auth.signUp({ email: freshEmail(), password: 'letmein letmein' })
    expect(error).toMatchObject({ status: 422, code: 'weak_password', reasons: ['length', 'characters', 'pwned'] })
    expect(asked).toEqual([{ path: expect.stringMatching(/^\/range\/[0-9A-F]{5}$/), padding: 'true' }])
    const padded = await auth.client().auth.signUp({ email: freshEmail(), password: 'padding padding' })
    expect(padded.error).toMatchObject({ reasons: ['length', 'characters'] })
  })

  it('are said at sign-in too, which they do not keep anybody from', async () => {
    const email = freshEmail()
    await open.admin().auth.admin.createUser({ email, email_confirm: true, password: 'letmein letmein' })
    const { data, error } = await auth.client().auth.signInWithPassword({ email, password: 'letmein letmein' })
    expect(error).toBeNull()
    expect(data.weakPassword).toMatchObject({ reasons: ['length', 'characters', 'pwned'] })
  })

  it('are let pass while the service cannot be asked, and the log tells no password', async () => {
    isDown = true
    asked = []
    const { error } = await auth.client().auth.signUp({ email: freshEmail(), password: 'ABC letmein letmein letmein' })
    expect(error).toBeNull()
    expect(asked).toHaveLength(1)
    expect(auth.logged.join()).toContain('could not be checked for breaches')
    expect(auth.logged.join()).not.toContain('letmein')
  })

  it('are not looked up unless the project wants it', async () => {
    asked = []
    await signUpPerson(open)
    expect(asked).toEqual([])
  })
})

describe('a new password', () => {
  it('needs the old one where the project wants it, except of who came in by a code and may have forgotten it', async () => {
    const own = await openTestAuth({ database: open.database, settings: { password: { ...rules, requireCurrentPassword: true } } })
    const { client: byCode, email } = await signUpPerson(own)
    const client = own.client()
    await client.auth.signInWithPassword({ email, password: testPassword })
    const put = async (body: object) => {
      const { data } = await client.auth.getSession()
      return own.ask('/user', { method: 'PUT', body, headers: { authorization: `Bearer ${data.session?.access_token}` } })
    }
    expect(await (await put({ password: 'a newer password' })).json()).toMatchObject({ code: 'current_password_required' })
    expect(await (await put({ password: 'a newer password', current_password: 'wrong' })).json()).toMatchObject({ code: 'current_password_invalid' })
    expect((await put({ password: 'a newer password', current_password: testPassword })).status).toBe(200)
    expect((await byCode.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    own.clock.advance(61)
    await own.client().auth.resetPasswordForEmail(email)
    await byCode.auth.verifyOtp({ email, token: own.letterTo(email).variables.Token ?? '', type: 'recovery' })
    expect((await byCode.auth.updateUser({ password: 'the newest password' })).error).toBeNull()
  })
})
