import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestBox, type TestBox } from './open-test-box.ts'

let box: TestBox
beforeAll(async () => {
  box = await openTestBox({ configToml: '[auth.sms]\nenable_signup = true\nenable_confirmations = true\ntemplate = "{{ .Code }} lets you in."' })
})
afterAll(() => box.close())

const read = async (path: string): Promise<unknown> => {
  const answer = await box.backend.phone?.fetch(new Request(`http://127.0.0.1:54324${path}`))
  return answer?.json()
}

describe('a box whose project has phones and no provider', () => {
  it('keeps texts on the local phone, whose codes let people in', async () => {
    const client = box.client()
    const settings = (await (await fetch(`${box.url}/auth/v1/settings`, { headers: { apikey: box.backend.keys.publishableKey } })).json()) as object
    expect(settings).toMatchObject({ external: { phone: true }, phone_autoconfirm: false })
    const { data } = await client.auth.signInWithOtp({ phone: '+4915112345678', options: { channel: 'whatsapp' } })
    const text = (await read('/phone/api/v1/message/latest?to=%2B4915112345678')) as { id: string; message: string; channel: string }
    expect(text).toMatchObject({ id: data.messageId, channel: 'whatsapp', message: expect.stringMatching(/^\d{6} lets you in\.$/) })
    const verified = await client.auth.verifyOtp({ phone: '4915112345678', token: text.message.slice(0, 6), type: 'sms' })
    expect(verified.error).toBeNull()
    expect(verified.data.user?.phone).toBe('4915112345678')
  })

  it('shows mails and texts at one address, and answers neither to the network', async () => {
    const page = await (await box.backend.mailbox?.fetch(new Request('http://127.0.0.1:54324/')))?.text()
    expect(page).toContain('href="/phone"')
    expect((await box.backend.phone?.fetch(new Request('http://127.0.0.1:54324/phone', { headers: { host: 'box.example.com' } })))?.status).toBe(421)
    expect((await fetch(`${box.url}/phone/api/v1/messages`)).status).toBe(404)
  })
})

it('a box without phones has no local phone', async () => {
  const plain = await openTestBox()
  expect(plain.backend.phone).toBeUndefined()
  expect(await (await plain.backend.mailbox?.fetch(new Request('http://127.0.0.1:54324/')))?.text()).not.toContain('/phone')
  await plain.close()
})
