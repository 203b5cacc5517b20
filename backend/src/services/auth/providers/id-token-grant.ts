import { createHash } from 'node:crypto'

import type { Transaction } from '#database/database.ts'

import type { Auth } from '#services/auth/auth.ts'
import { readBody, type Call } from '#services/auth/call.ts'
import { requireOwnLevel, requireSignedIn } from '#services/auth/caller.ts'
import { authError, invalidRequest, oauthError } from '#services/auth/errors.ts'
import { sendDue } from '#services/auth/letters.ts'
import { beginSession } from '#services/auth/sessions.ts'
import { grantReply, type TokenGrant } from '#services/auth/token-grants.ts'
import type { User } from '#services/auth/user.ts'

import { admit, onceMoreAfterRace, type Outcome } from './accounts.ts'
import { findCustomIssuer } from './custom-provider.ts'
import { isAppleIssuer, isAzureCustomerIssuer, isAzureIssuer, knownIssuers, readIdTokenProfile } from './id-token-profiles.ts'
import { BadIdToken, issuerOf, readIdToken } from './id-tokens.ts'
import { linkIdentity, noticeOfLink } from './identities.ts'
import type { Reach } from '#services/auth/outbound.ts'
import { identityOf, text, type ProvidedIdentity } from './profile.ts'
import type { ExternalProvider } from './provider-settings.ts'
import { idTokenGrantBody, type IdTokenGrant } from './wire.ts'

/** Whose ID tokens are taken, and for whom they must be. */
export interface TrustedIssuer {
  provider: string
  issuer: string
  discoveryUrl?: string
  audiences: readonly string[]
  skipNonceCheck: boolean
  emailOptional: boolean
  reach: Reach
}

const fixedIssuers: Readonly<Record<string, string>> = {
  google: knownIssuers.google,
  facebook: knownIssuers.facebook,
  kakao: knownIssuers.kakao,
  vercel_marketplace: knownIssuers.vercel_marketplace,
  snapchat: knownIssuers.snapchat,
}

/** The provider a request means: by name, or by issuer as older clients do. */
function providerOf(auth: Auth, { provider, issuer }: IdTokenGrant): string | undefined {
  const { external } = auth.settings.providers
  if (provider !== '') return provider.toLowerCase()
  if (isAppleIssuer(issuer)) return 'apple'
  if (isAzureIssuer(issuer)) return 'azure'
  if (external.keycloak && external.keycloak.url !== '' && issuer === external.keycloak.url) return 'keycloak'
  return Object.keys(fixedIssuers).find((name) => fixedIssuers[name] === issuer)
}

function requireOwnIssuer(given: IdTokenGrant, name: 'Apple' | 'Azure', isTheirs: (issuer: string) => boolean): string {
  const found = issuerOf(given.id_token)
  if (found === '') throw invalidRequest(`Unable to detect issuer in ID token for ${name} provider`)
  if (!isTheirs(found)) throw invalidRequest(`Detected ID token issuer is not an ${name} ID token issuer`)
  if (given.issuer !== '' && given.issuer !== found) throw invalidRequest('Provided issuer does not match ID token issuer')
  return found
}

// A project that names one tenant takes that one's people alone.
function isAllowedTenant(url: string, issuer: string): boolean {
  const expected = `${url.replace(/\/$/, '')}/v2.0`
  const isOneTenant = (isAzureIssuer(expected) || isAzureCustomerIssuer(expected)) && !/\/(?:common|organizations|consumers)\/v2\.0$/.test(expected)
  return isOneTenant ? issuer === expected : issuer.startsWith('https://login.microsoftonline.com/') || issuer.startsWith('https://sts.windows.net/')
}

const settingsOf = ({ settings: { providers } }: Auth, name: string): ExternalProvider | undefined =>
  Object.hasOwn(providers.external, name) ? providers.external[name] : undefined

function issuerFor(auth: Auth, name: string, given: IdTokenGrant): string | undefined {
  const settings = settingsOf(auth, name)
  if (settings?.isLocal === true) return auth.settings.providers.localIssuer
  if (name === 'apple') return requireOwnIssuer(given, 'Apple', isAppleIssuer)
  if (name === 'azure') return requireOwnIssuer(given, 'Azure', (issuer) => isAllowedTenant(settings?.url ?? '', issuer))
  if (name === 'keycloak') return settings?.url.replace(/\/$/, '') ?? ''
  return Object.hasOwn(fixedIssuers, name) ? fixedIssuers[name] : undefined
}

/** @throws `validation_failed`, `provider_disabled` (400). */
async function requireTrusted(auth: Auth, given: IdTokenGrant): Promise<TrustedIssuer> {
  if (given.provider.toLowerCase().startsWith('custom:')) return findCustomIssuer(auth, given.provider.toLowerCase())
  const name = providerOf(auth, given)
  const issuer = name === undefined ? undefined : issuerFor(auth, name, given)
  if (name === undefined || issuer === undefined) throw invalidRequest(`Custom OIDC provider "${given.provider.slice(0, 100)}" not allowed`)
  const settings = settingsOf(auth, name)
  if (!settings) throw authError('provider_disabled', { message: `Provider (issuer "${issuer.slice(0, 200)}") is not enabled` })
  return {
    provider: name,
    issuer,
    audiences: settings.clientIds,
    // Facebook's limited login knows none.
    skipNonceCheck: settings.skipNonceCheck || name === 'facebook',
    emailOptional: settings.emailOptional,
    reach: 'anywhere',
  }
}

// The client keeps the nonce itself and has the provider put its hash into the token: who steals the token knows the hash alone.
function requireNonce(claims: Readonly<Record<string, unknown>>, given: IdTokenGrant): void {
  const inToken = text(claims, 'nonce')
  if ((inToken === '') !== (given.nonce === '')) {
    throw oauthError('invalid request', 'Passed nonce and nonce in id_token should either both exist or not.')
  }
  if (inToken === '') return
  if (createHash('sha256').update(given.nonce).digest('hex') !== inToken) throw oauthError('invalid nonce', 'Nonces mismatch')
}

/** @throws the OAuth dialect's "invalid request" (400) for a token that is not believed. */
async function readIdentity(auth: Auth, trusted: TrustedIssuer, given: IdTokenGrant): Promise<ProvidedIdentity> {
  // What is no token at all is refused without asking its issuer for keys.
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(given.id_token)) throw oauthError('invalid request', 'Bad ID token')
  const outbound = auth.outbound(trusted.reach)
  const metadata = await auth.issuers.find(outbound, trusted.issuer, trusted.discoveryUrl)
  if (!metadata.jwks_uri) throw authError('unexpected_failure', { message: 'The issuer names no keys' })
  try {
    const claims = await readIdToken(given.id_token, {
      issuer: trusted.issuer,
      keys: auth.issuers.keysOf(outbound, metadata.jwks_uri),
      audiences: trusted.audiences,
      accessToken: given.access_token,
      now: auth.now(),
    })
    if (!trusted.skipNonceCheck) requireNonce(claims, given)
    return identityOf(readIdTokenProfile(claims))
  } catch (error) {
    if (!(error instanceof BadIdToken)) throw error
    auth.logger.info('an ID token was refused', { provider: trusted.provider, reason: error.message })
    throw oauthError('invalid request', error.claim === 'audience' ? error.message : 'Bad ID token')
  }
}

async function requireLinkTarget(auth: Auth, call: Call): Promise<User> {
  if (!call.request.headers.has('authorization')) throw oauthError('invalid request', 'Linking requires a valid user access token in Authorization')
  const signedIn = await requireSignedIn(auth, call)
  if (!auth.settings.enableManualLinking) throw authError('manual_linking_disabled')
  requireOwnLevel(signedIn, 'link identities')
  return signedIn.user
}

/**
 * Signs in with an ID token that the client got from the provider itself, or links its identity to who asks.
 *
 * @throws "invalid request", "invalid nonce" (400, OAuth dialect), `provider_disabled`, `validation_failed` (400), what signing in with the
 * provider throws.
 * @see supabase/auth internal/api/token_oidc.go, `IdTokenGrant`
 */
export const idTokenGrant: TokenGrant = async (auth, call) => {
  const given = await readBody(call, idTokenGrantBody)
  if (given.id_token === '') throw oauthError('invalid request', 'id_token required')
  if (given.provider === '' && (given.client_id === '' || given.issuer === '')) throw oauthError('invalid request', 'provider or client_id and issuer required')
  const target = given.link_identity ? await requireLinkTarget(auth, call) : undefined
  const trusted = await requireTrusted(auth, given)
  const identity = await readIdentity(auth, trusted, given)
  const { provider, emailOptional } = trusted
  const arrival = { provider, identity, emailOptional, redirectTo: auth.redirects.choose(call.request) }

  const settle = (tx: Transaction): Promise<Outcome> => (target ? linkIdentity(auth, tx, { ...arrival, targetId: target.id }) : admit(auth, tx, arrival))
  const ended = await onceMoreAfterRace(
    () =>
      auth.transact(async (tx) => {
        const outcome = await settle(tx)
        if (outcome.kind === 'refused') return outcome
        return { kind: 'in' as const, grant: await beginSession(auth, tx, { user: outcome.user, method: 'oauth', call }) }
      }),
  )
  if (ended.kind === 'refused') {
    await sendDue(auth, ended.due)
    throw ended.failure
  }
  if (target) noticeOfLink(auth, ended.grant.user, provider)
  return grantReply(call, ended.grant)
}
