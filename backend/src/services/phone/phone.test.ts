import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createLocalPhone } from './local-phone.ts'
import { createProvider, missingCredentials, type ProviderName } from './providers.ts'

describe('the local phone', () => {
  it('keeps texts, tells them by number, and has them after a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portico-phone-'))
    const phone = await createLocalPhone({ folder })
    await phone.sender.send({ to: '491', message: 'Your code is 111111', channel: 'sms' })
    await phone.sender.send({ to: '492', message: 'Your code is 222222', channel: 'whatsapp' })
    const again = await createLocalPhone({ folder })
    const read = async (path: string) => (await again.fetch(new Request(`http://127.0.0.1:54324/phone/api/v1${path}`))).json()
    expect(((await read('/messages')) as { messages: unknown[] }).messages).toHaveLength(2)
    expect(await read('/message/latest?to=%2B491')).toMatchObject({ message: 'Your code is 111111', channel: 'sms' })
    await again.fetch(new Request('http://127.0.0.1:54324/phone/api/v1/messages', { method: 'DELETE' }))
    expect((await createLocalPhone({ folder })).texts()).toEqual([])
    await rm(folder, { recursive: true })
  })

  it('answers neither another name nor another site, and its page runs nothing but its own', async () => {
    const phone = await createLocalPhone()
    const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => phone.fetch(new Request(`http://127.0.0.1:54324${path}`, { method, headers }))
    expect((await ask('/phone/api/v1/messages', { host: 'evil.example' })).status).toBe(421)
    expect((await ask('/phone/api/v1/messages', { 'sec-fetch-site': 'same-site' })).status).toBe(403)
    expect((await ask('/phone/api/v1/messages', { 'sec-fetch-site': 'cross-site' }, 'DELETE')).status).toBe(403)
    const page = await ask('/phone')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
    expect(await page.text()).not.toMatch(/<script>|style="|onclick/)
    for (const path of ['/phone/other', '/phone/api/v1/message/none', '/']) expect((await ask(path)).status).toBe(404)
  })
})

interface Asked {
  path: string
  authorization: string | undefined
  form: Record<string, string>
}

describe('a provider', () => {
  let server: Server
  let asked: Asked
  let answer: { status?: number; body: unknown } = { body: {} }
  const read = async (request: IncomingMessage): Promise<string> => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    return text
  }
  const open = (name: ProviderName, credentials: Record<string, string>) =>
    createProvider({ name, credentials, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const text = { to: '491', message: 'Your code is 111111', channel: 'sms', code: '111111' } as const

  beforeAll(async () => {
    server = createServer((request, response) => {
      void read(request).then((body) => {
        asked = { path: request.url ?? '', authorization: request.headers.authorization, form: Object.fromEntries(new URLSearchParams(body)) }
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(answer.body))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it('twilio is asked for SMS and for WhatsApp, and its failure is told in its words', async () => {
    const twilio = open('twilio', { account_sid: 'AC1', auth_token: 'secret', message_service_sid: '+15550100' })
    answer = { status: 201, body: { sid: 'SM1', status: 'queued' } }
    expect(await twilio.send(text)).toEqual({ messageId: 'SM1' })
    expect(asked).toEqual({
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      authorization: `Basic ${Buffer.from('AC1:secret').toString('base64')}`,
      form: { To: '+491', Channel: 'sms', From: '+15550100', Body: 'Your code is 111111' },
    })
    await twilio.send({ ...text, channel: 'whatsapp' })
    expect(asked.form).toMatchObject({ To: 'whatsapp:+491', From: 'whatsapp:+15550100' })
    await open('twilio', { account_sid: 'AC1', auth_token: 's', message_service_sid: 'MG1', content_sid: 'HX1' }).send({ ...text, channel: 'whatsapp' })
    expect(asked.form).toMatchObject({ From: 'MG1', ContentSid: 'HX1', ContentVariables: '{"1":"111111"}' })
    answer = { status: 400, body: { message: 'Invalid number.', more_info: 'https://twilio.example' } }
    await expect(twilio.send(text)).rejects.toThrow('Invalid number. More information: https://twilio.example')
  })

  it('twilio_verify says whether a code is right', async () => {
    const verify = open('twilio_verify', { account_sid: 'AC1', auth_token: 'secret', message_service_sid: 'VA1' })
    answer = { status: 201, body: { sid: 'VE1', status: 'pending' } }
    expect(await verify.send(text)).toEqual({ messageId: 'VE1' })
    expect(asked).toMatchObject({ path: '/v2/Services/VA1/Verifications', form: { To: '+491', Channel: 'sms' } })
    answer = { body: { status: 'approved', valid: true } }
    expect(await verify.check?.({ to: '491', code: '111111' })).toBe(true)
    expect(asked).toMatchObject({ path: '/v2/Services/VA1/VerificationCheck', form: { To: '+491', Code: '111111' } })
    answer = { body: { status: 'pending', valid: false } }
    expect(await verify.check?.({ to: '491', code: '111111' })).toBe(false)
  })

  it('messagebird, textlocal and vonage are asked in their own ways', async () => {
    answer = { status: 201, body: { id: 'mb1', recipients: { totalSentCount: 1 } } }
    expect(await open('messagebird', { access_key: 'k', originator: 'Portico' }).send(text)).toEqual({ messageId: 'mb1' })
    expect(asked).toMatchObject({ path: '/messages', authorization: 'AccessKey k', form: { originator: 'Portico', recipients: '491', body: text.message } })
    answer = { status: 401, body: { errors: [{ description: 'Request not allowed' }] } }
    await expect(open('messagebird', { access_key: 'k', originator: 'Portico' }).send(text)).rejects.toThrow('Request not allowed')

    answer = { body: { status: 'success', messages: [{ id: 7 }] } }
    expect(await open('textlocal', { api_key: 'k', sender: 'PORT' }).send(text)).toEqual({ messageId: '7' })
    expect(asked).toMatchObject({ path: '/send', form: { apikey: 'k', sender: 'PORT', numbers: '491', message: text.message } })
    answer = { body: { status: 'failure', errors: [{ code: 51, message: 'No credit' }] } }
    await expect(open('textlocal', { api_key: 'k', sender: 'PORT' }).send(text)).rejects.toThrow('No credit')

    answer = { body: { messages: [{ 'message-id': 'v1', status: '0' }] } }
    expect(await open('vonage', { api_key: 'k', api_secret: 's', from: 'Portico' }).send({ ...text, message: 'Código 111111' })).toEqual({ messageId: 'v1' })
    expect(asked).toMatchObject({ path: '/sms/json', form: { to: '491', type: 'unicode', api_key: 'k', api_secret: 's' } })
    answer = { body: { messages: [{ status: '9', 'error-text': 'Partner quota exceeded' }] } }
    await expect(open('vonage', { api_key: 'k', api_secret: 's', from: 'Portico' }).send(text)).rejects.toThrow('Partner quota exceeded')
  })

  it('that lacks a credential is found out before it is asked', () => {
    expect(missingCredentials({ name: 'vonage', credentials: { api_key: 'k', from: 'P' } })).toEqual(['api_secret'])
  })
})
