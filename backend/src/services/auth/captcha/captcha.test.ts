import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { freshEmail, openTestAuth, signUpPerson, testPassword, type TestAuth } from '#services/auth/open-test-auth.ts'

let server: Server
let open: TestAuth
let auth: TestAuth
let asked: Record<string, string>[] = []
let answer: { status?: number; text: string } = { text: '{}' }

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(text))
      asked.push(form)
      response.writeHead(answer.status ?? 200).end(form.response === 'solved' ? '{"success":true}' : answer.text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`
  open = await openTestAuth()
  auth = await openTestAuth({ database: open.database, settings: { captcha: { provider: 'turnstile', secret: ' the captcha secret ', url } } })
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await open.close()
})

describe('a captcha', () => {
  it('is asked for wherever the hosted backend asks, and nowhere else', async () => {
    const post = (path: string, body: object = {}) => auth.ask(path, { method: 'POST', body })
    for (const path of ['/signup', '/recover', '/resend', '/magiclink', '/otp', '/token?grant_type=password', '/token?grant_type=web3']) {
      const refused = await post(path, { email: freshEmail(), password: testPassword })
      expect(refused.status, path).toBe(400)
      expect(await refused.json()).toEqual({ code: 'captcha_failed', message: 'captcha protection: request disallowed (no captcha_token found)' })
    }
    for (const path of ['/token?grant_type=refresh_token', '/token?grant_type=pkce', '/verify']) {
      expect(await (await post(path, { refresh_token: 'abcdefghijkl', auth_code: 'a', code_verifier: 'b', type: 'signup', token: '1', email: freshEmail() })).text(), path).not.toContain('captcha')
    }
    expect((await auth.ask('/settings')).status).toBe(200)
    expect(asked).toEqual([])
  })

  it('is not got round by another spelling of the path, the query or the body', async () => {
    const before = open.letters.length + auth.letters.length
    const email = freshEmail()
    const body = { email, password: testPassword, type: 'signup' }
    const spellings = ['/signup/', '//signup', '/signup//', '/SIGNUP', '/%73ignup', '/./signup', '/x/../signup', '/signup;a=b', '/signup%2f', '/signup?grant_type=pkce', '/otp/', '/token/?grant_type=password',
      '/token?grant_type=password&grant_type=pkce', '/token?grant_type=pkce&grant_type=password', '/token?grant_type=Password', '/token?grant_type=pkce%00password', '/token?x=1&grant_type=password#pkce']
    for (const path of spellings) {
      const answer = await auth.ask(path, { method: 'POST', body })
      const text = await answer.text()
      expect([path, answer.status < 400, text.includes('access_token')]).toEqual([path, false, false])
    }
    const bodies = [{ gotrue_meta_security: null }, { gotrue_meta_security: { captcha_token: ' ' } }, { gotrue_meta_security: { captcha_token: null } }, { captcha_token: 'solved' }, { gotrue_meta_security: [] }]
    for (const more of bodies) expect((await auth.ask('/otp', { method: 'POST', body: { ...body, ...more } })).status, JSON.stringify(more)).toBe(400)
    for (const headers of [{ authorization: `Bearer ${auth.keys.publishableKey}` }, { authorization: 'Bearer nonsense' }, { 'x-http-method-override': 'GET' }]) {
      expect((await auth.ask('/otp', { method: 'POST', body, headers })).status, JSON.stringify(headers)).toBeGreaterThan(399)
    }
    expect(open.letters.length + auth.letters.length).toBe(before)
    expect(asked).toEqual([])
  })

  it('that is solved lets a person sign up, in and recover', async () => {
    asked = []
    const email = freshEmail()
    const client = auth.client()
    const options = { captchaToken: 'solved' }
    expect((await client.auth.signUp({ email, password: testPassword, options })).error).toBeNull()
    await client.auth.verifyOtp({ email, token: auth.letterTo(email).variables.Token ?? '', type: 'signup' })
    expect((await auth.client().auth.signInWithPassword({ email, password: testPassword, options })).error).toBeNull()
    expect((await auth.client().auth.resetPasswordForEmail(email, options)).error).toBeNull()
    expect(asked).toEqual(Array.from({ length: 3 }, () => ({ secret: 'the captcha secret', response: 'solved', remoteip: '127.0.0.1' })))
  })

  it('that is not solved is refused with the provider\'s reasons', async () => {
    answer = { text: '{"success":false,"error-codes":["timeout-or-duplicate","bad-request"]}' }
    const { error } = await auth.client().auth.signInWithOtp({ email: freshEmail(), options: { captchaToken: 'guessed' } })
    expect(error).toMatchObject({ status: 400, code: 'captcha_failed', message: 'captcha protection: request disallowed (timeout-or-duplicate, bad-request)' })
  })

  it('lets nobody pass while the provider cannot be asked, and keeps its secret out of the log', async () => {
    answer = { status: 500, text: 'not JSON' }
    const { email } = await signUpPerson(open)
    const { error } = await auth.client().auth.signInWithPassword({ email, password: testPassword, options: { captchaToken: 'guessed' } })
    expect(error).toMatchObject({ status: 500, message: 'captcha verification process failed' })
    expect(auth.logged.join()).not.toContain('the captcha secret')
  })

  it('is not asked of the project itself', async () => {
    const email = freshEmail()
    expect((await auth.admin().auth.signInWithOtp({ email })).error).toBeNull()
    // A person's own token is no key.
    const { session } = await signUpPerson(open)
    const answered = await auth.ask('/otp', { method: 'POST', body: { email }, headers: { authorization: `Bearer ${session.access_token}` } })
    expect(await answered.json()).toMatchObject({ code: 'captcha_failed' })
  })
})
