import { afterAll, beforeAll, expect, it } from 'vitest'

import { openTestAuth, testPassword, type TestAuth } from './open-test-auth.ts'
import { defaultAuthSettings } from './settings.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { oauthServer: { ...defaultAuthSettings.oauthServer, enabled: true } } })
})
afterAll(() => auth.close())

/** Fails with the client's own error. */
const well = <T extends { error: unknown }>(answer: T): T => {
  expect(answer.error).toBeNull()
  return answer
}

const provider = {
  provider_type: 'oauth2',
  identifier: 'custom:acme',
  name: 'Acme',
  client_id: 'a',
  client_secret: 'b',
  authorization_url: 'https://8.8.8.8/authorize',
  token_url: 'https://8.8.8.8/token',
  userinfo_url: 'https://8.8.8.8/me',
} as const

it('an administrator has every method of the official client', async () => {
  const { admin } = auth.admin().auth
  const made = well(await admin.createUser({ email: 'made@example.com', password: testPassword, email_confirm: true }))
  const id = made.data.user?.id ?? ''
  well(await admin.getUserById(id))
  well(await admin.updateUserById(id, { user_metadata: { a: 1 } }))
  well(await admin.listUsers())
  well(await admin.inviteUserByEmail('invited@example.com'))
  well(await admin.generateLink({ type: 'magiclink', email: 'made@example.com' }))

  well(await admin.mfa.listFactors({ userId: id }))
  expect((await admin.mfa.deleteFactor({ userId: id, id: crypto.randomUUID() })).error?.code).toBe('mfa_factor_not_found')
  well(await admin.passkey.listPasskeys({ userId: id }))
  expect((await admin.passkey.deletePasskey({ userId: id, passkeyId: crypto.randomUUID() })).error?.status).toBe(404)

  const { data: app } = well(await admin.oauth.createClient({ client_name: 'Made here', redirect_uris: ['https://app.example.com/callback'] }))
  const clientId = app?.client_id ?? ''
  well(await admin.oauth.listClients())
  well(await admin.oauth.getClient(clientId))
  well(await admin.oauth.updateClient(clientId, { client_name: 'Renamed here' }))
  well(await admin.oauth.regenerateClientSecret(clientId))
  well(await admin.oauth.deleteClient(clientId))

  well(await admin.customProviders.createProvider(provider))
  well(await admin.customProviders.listProviders())
  well(await admin.customProviders.getProvider('custom:acme'))
  well(await admin.customProviders.updateProvider('custom:acme', { name: 'Acme Inc.' }))
  well(await admin.customProviders.deleteProvider('custom:acme'))

  const { data } = well(await auth.client().auth.signInWithPassword({ email: 'made@example.com', password: testPassword }))
  well(await admin.signOut(data.session?.access_token ?? ''))
  well(await admin.deleteUser(id))
})
