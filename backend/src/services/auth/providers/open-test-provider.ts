import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'

import { openTestAuth, type TestAuth, type TestAuthOptions } from '#services/auth/open-test-auth.ts'
import { defaultAuthSettings, type AuthSettings } from '#services/auth/settings.ts'

import type { Outbound } from '#services/auth/outbound.ts'
import { defaultProviderSettings, type ExternalProvider } from './provider-settings.ts'

/** What a provider of the tests was asked. */
export interface Asked {
  url: URL
  method: string
  headers: Headers
  body: URLSearchParams
}

/** How a provider of the tests answers one address: JSON, or a whole response. */
export type Answer = (asked: Asked) => unknown

/** Every identity provider of the world, as far as tests need one: it answers for all hosts, and signs with keys of its own. */
export interface TestProvider {
  outbound: Outbound
  /** All that was asked, oldest first. */
  asked: Asked[]
  /** Answers for addresses, by host and path: `api.github.com/user`. Looked at before the usual ones. */
  answers: Map<string, Answer>
  /** What the next code is traded for. */
  claims: Record<string, unknown>
  privateKey: CryptoKey
  kid: string
  /** Signs an ID token that holds now. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>
}

const issuerOf = ({ host, pathname }: URL): string => `https://${host}${pathname.replace('/.well-known/openid-configuration', '')}`

const discovery = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  code_challenge_methods_supported: ['S256'],
})

const headersOf = (headers: unknown): Headers => new Headers(headers as Headers)

export async function createTestProvider(): Promise<TestProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = 'test-key'
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }] }
  const sign = (claims: Readonly<Record<string, unknown>>): Promise<string> => {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ iat: now, exp: now + 300, ...claims }).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
  }
  const usual = async ({ url }: Asked): Promise<unknown> => {
    if (url.pathname.endsWith('/.well-known/openid-configuration')) return discovery(issuerOf(url))
    if (url.pathname.endsWith('/jwks')) return jwks
    if (/\/(?:access_?)?token$/i.test(url.pathname)) return { access_token: 'provider-access', refresh_token: 'provider-refresh', token_type: 'Bearer', id_token: await sign(made.claims) }
    return undefined
  }
  const made: TestProvider = {
    asked: [],
    answers: new Map(),
    claims: {},
    privateKey,
    kid,
    sign,
    async outbound(address, { method = 'GET', headers, body = '' } = {}) {
      const url = new URL(address)
      const one = { url, method, headers: headersOf(headers), body: new URLSearchParams(body) }
      made.asked.push(one)
      const answer = await (made.answers.get(url.host + url.pathname)?.(one) ?? usual(one))
      if (answer instanceof Response) return answer
      return answer === undefined ? new Response('not here', { status: 404 }) : Response.json(answer)
    },
  }
  return made
}

/** A provider as `config.toml` would have it. */
export const external = (settings: Partial<ExternalProvider> = {}): ExternalProvider => ({
  clientIds: ['client-1'],
  secret: 'secret-1',
  url: '',
  redirectUri: '',
  skipNonceCheck: false,
  emailOptional: false,
  isLocal: false,
  ...settings,
})

export interface ProviderWorld {
  auth: TestAuth
  provider: TestProvider
  /** Begins a visit; gives where the browser is sent, and its cookies. */
  leave(params: Record<string, string>, headers?: Record<string, string>): Promise<{ to: URL; state: string; cookie: string }>
  /** Ends a visit; gives where the browser is sent. */
  comeBack(params: Record<string, string>, headers?: Record<string, string>): Promise<URL>
  close(): Promise<void>
}

/** The auth service with providers, none of them real. Google is on unless told otherwise. */
export async function openProviderWorld(
  settings: Partial<Omit<AuthSettings, 'email' | 'sms' | 'providers'>> & Pick<NonNullable<TestAuthOptions['settings']>, 'email' | 'sms'> = {},
  providers: Readonly<Record<string, ExternalProvider>> = { google: external() },
): Promise<ProviderWorld> {
  const provider = await createTestProvider()
  const auth = await openTestAuth({
    outbound: () => provider.outbound,
    settings: { ...settings, providers: { ...defaultProviderSettings, external: providers }, redirectAllowList: ['https://app.example.com/**'] },
  })
  return {
    auth,
    provider,
    async leave(params, headers = {}) {
      const answer = await auth.ask(`/authorize?${new URLSearchParams({ redirect_to: 'https://app.example.com/back', ...params })}`, { headers })
      if (answer.status !== 302) throw new Error(`${answer.status} ${await answer.text()}`)
      const to = new URL(answer.headers.get('location') ?? '')
      return { to, state: to.searchParams.get('state') ?? '', cookie: answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '' }
    },
    async comeBack(params, headers = {}) {
      const answer = await auth.ask(`/callback?${new URLSearchParams(params)}`, { headers })
      return new URL(answer.headers.get('location') ?? `x:${answer.status}`)
    },
    close: () => auth.close(),
  }
}

/** Signs somebody in with Google, whose claims are these; gives where the browser ended. */
export async function visitGoogle(world: ProviderWorld, claims: Readonly<Record<string, unknown>>, params: Record<string, string> = {}): Promise<URL> {
  const { to, state } = await world.leave({ provider: 'google', ...params })
  world.provider.claims = { iss: 'https://accounts.google.com', aud: 'client-1', nonce: to.searchParams.get('nonce'), ...claims }
  return world.comeBack({ state, code: 'good' })
}

/** The names of `config.toml`, kept in step with `config/external.ts` by the test of `service-settings.ts`. */
export const actedOnProviderNames: readonly string[] = [
  'apple', 'azure', 'bitbucket', 'discord', 'facebook', 'figma', 'fly', 'github', 'gitlab', 'google', 'kakao', 'keycloak', 'linkedin',
  'linkedin_oidc', 'local', 'notion', 'slack', 'slack_oidc', 'snapchat', 'spotify', 'twitch', 'vercel_marketplace', 'workos', 'x', 'zoom',
]

export const siteUrl = defaultAuthSettings.siteUrl
