import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createMailbox, type Mailbox } from './mailbox.ts'

const mail = (to: string, subject = 'Your sign-in link') => ({
  from: { address: 'noreply@example.com', name: 'Helpdesk' },
  to,
  subject,
  html: '<html><head></head><body><a href="http://127.0.0.1:54321/x">Sign in</a><script>alert(1)</script></body></html>',
  text: 'Sign in: http://127.0.0.1:54321/x\n\n048213',
})

let folder: string
let mailbox: Mailbox
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailbox-test-'))
  mailbox = await createMailbox({ folder })
})
afterEach(() => rm(folder, { recursive: true }))

const ask = (path: string, init: RequestInit = {}) =>
  mailbox.fetch(new Request(`http://127.0.0.1:54324${path}`, { ...init, headers: { host: '127.0.0.1:54324', ...init.headers } }))
const read = async (path: string) => (await ask(path)).json()

describe('the mailbox', () => {
  it('lists mails newest first in the shape test helpers of hosted projects know', async () => {
    await mailbox.deliver(mail('ada@example.com', 'First'))
    await mailbox.deliver(mail('bob@example.com', 'Second'))
    const list = await read('/api/v1/messages')
    expect(list).toMatchObject({ total: 2, unread: 2, messages_count: 2 })
    expect(list.messages.map((one: { Subject: string }) => one.Subject)).toEqual(['Second', 'First'])
    expect(list.messages[0]).toMatchObject({ Read: false, To: [{ Address: 'bob@example.com' }], From: { Name: 'Helpdesk' } })
    const whole = await read(`/api/v1/message/${list.messages[1].ID}`)
    expect(whole).toMatchObject({ Subject: 'First', Text: expect.stringContaining('048213'), HTML: expect.stringContaining('<a href') })
    expect(await read('/api/v1/messages')).toMatchObject({ unread: 1 })
  })

  it('gives the latest mail, its headers and its raw form', async () => {
    await mailbox.deliver(mail('ada@example.com', 'Grüße'))
    expect(await read('/api/v1/message/latest')).toMatchObject({ Subject: 'Grüße' })
    expect(await read('/api/v1/message/latest/headers')).toMatchObject({ To: ['ada@example.com'] })
    expect(await (await ask('/api/v1/message/latest/raw')).text()).toContain('Subject: =?utf-8?B?')
  })

  it('answers the older per-address questions too', async () => {
    await mailbox.deliver(mail('ada@example.com'))
    const [first] = await read('/api/v1/mailbox/ada')
    expect(await read(`/api/v1/mailbox/ada/${first.id}`)).toMatchObject({ subject: 'Your sign-in link', body: { text: expect.stringContaining('048213') } })
    expect(await read('/api/v1/mailbox/bob')).toEqual([])
  })

  it('searches by field and by word', async () => {
    await mailbox.deliver(mail('ada@example.com', 'Reset your password'))
    await mailbox.deliver(mail('bob@example.com'))
    const found = async (query: string) => (await read(`/api/v1/search?query=${encodeURIComponent(query)}`)).messages_count
    expect(await found('to:ada@example.com')).toBe(1)
    expect(await found('subject:"reset your"')).toBe(1)
    expect(await found('to:ada@example.com subject:link')).toBe(0)
    expect(await found('048213')).toBe(2)
  })

  it('deletes chosen mails, or all of them', async () => {
    for (const name of ['a', 'b', 'c']) await mailbox.deliver(mail(`${name}@example.com`))
    const { messages } = await read('/api/v1/messages')
    await ask('/api/v1/messages', { method: 'DELETE', body: JSON.stringify({ IDs: [messages[0].ID, '../../etc/passwd'] }) })
    expect(await read('/api/v1/messages')).toMatchObject({ total: 2 })
    await ask('/api/v1/messages', { method: 'DELETE' })
    expect(await read('/api/v1/messages')).toMatchObject({ total: 0 })
    expect(await readdir(folder)).toEqual([])
  })

  it('keeps mails over a restart and forgets the oldest past its bound', async () => {
    mailbox = await createMailbox({ folder, mostMails: 3 })
    for (const name of ['a', 'b', 'c', 'd']) await mailbox.deliver(mail(`${name}@example.com`))
    await writeFile(join(folder, 'torn.json'), '{"id":"torn"')
    await writeFile(join(folder, 'half.json.ab12.part'), '{')
    mailbox = await createMailbox({ folder, mostMails: 3 })
    expect(mailbox.mails().map(({ to }) => to)).toEqual(['d@example.com', 'c@example.com', 'b@example.com'])
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('answers under its own names only, so that no other site reads it through a name of its own', async () => {
    await mailbox.deliver(mail('ada@example.com'))
    const asked = (host: string) => mailbox.fetch(new Request('http://127.0.0.1:54324/api/v1/messages', { headers: { host } }))
    expect((await asked('evil.example.com:54324')).status).toBe(421)
    expect((await asked('127.0.0.1.evil.com')).status).toBe(421)
    expect((await asked('localhost:54324')).status).toBe(200)
    expect((await asked('[::1]:54324')).status).toBe(200)
  })

  it('lets no other site act on it', async () => {
    await mailbox.deliver(mail('ada@example.com'))
    const refused = await ask('/api/v1/messages', { method: 'DELETE', headers: { 'sec-fetch-site': 'cross-site' } })
    expect(refused.status).toBe(403)
    expect((await ask('/api/v1/messages', { method: 'DELETE', headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403)
    expect((await ask('/api/v1/messages', { headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403)
    expect((await ask('/api/v1/messages', { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200)
    expect(mailbox.mails()).toHaveLength(1)
    expect((await ask('/api/v1/messages')).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('shows a mail so that nothing in it runs or loads, and its links open beside', async () => {
    await mailbox.deliver(mail('ada@example.com'))
    const shown = await ask('/view/latest.html')
    const policy = shown.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/sandbox(?!.*allow-scripts)(?!.*allow-same-origin)/)
    expect(await shown.text()).toContain('<head><base target="_blank">')
    const page = await ask('/')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await page.text()).not.toMatch(/<script>|style="|onclick/)
  })

  it('tells a change by its version', async () => {
    const before = await read('/api/v1/version')
    await mailbox.deliver(mail('ada@example.com'))
    const after = await read('/api/v1/version')
    expect(after).not.toEqual(before)
    expect(await read('/api/v1/version')).toEqual(after)
  })

  it('answers nonsense with 404', async () => {
    for (const path of ['/api/v1/message/none', '/api/v1/message/%ff', '/api/v1/nothing', '/view/x.html', '/other']) expect((await ask(path)).status).toBe(404)
  })
})
