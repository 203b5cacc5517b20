import { expect, it } from 'vitest'
import type { User } from '#api/client.ts'
import { remainingWays } from './remaining-ways.ts'

const identity = (provider: string) => ({ id: provider, identity_id: `i-${provider}`, user_id: 'u', provider }) as NonNullable<User['identities']>[number]
const settings = { email: true, phone: true }
const facts = { hasPassword: undefined, hasPasskey: false, settings, offered: ['github', 'google'] }

it('counts the address, the number and what is offered', () => {
  const user = { email: 'a@b.co', email_confirmed_at: 'x', phone: '441', phone_confirmed_at: 'x', identities: [identity('email'), identity('github'), identity('google')] }
  expect(remainingWays('i-github', { ...facts, user, hasPassword: true, hasPasskey: true })).toEqual(['password', 'mail', 'phone', 'passkey', 'google'])
})

it('counts no address that was never confirmed, no way that is switched off, and no provider that is gone', () => {
  const user = { email: 'a@b.co', phone: '441', phone_confirmed_at: 'x', identities: [identity('github'), identity('twitch')] }
  expect(remainingWays('i-github', { ...facts, user, hasPassword: true, settings: { email: true, phone: false } })).toEqual([])
})
