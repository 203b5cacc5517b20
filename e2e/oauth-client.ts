import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as openid from 'openid-client'

/** An application that signs people in with the project, on a server of its own, by an OAuth library. */
export interface ClientApp {
  /** `http://127.0.0.1:…` */
  url: string
  clientId: string
  /** What the last person brought back: who they are, or the error. */
  close(): Promise<void>
}

export interface ClientAppOptions {
  /** The project's `/auth/v1`. */
  issuer: string
  name: string
  scope?: string
  logo?: string
}

interface Started {
  verifier: string
  state: string
  nonce: string
}

const plain = { execute: [openid.allowInsecureRequests] }

const page = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<title>Client</title><h1>Client</h1><a href="/start">Sign in</a><pre>${JSON.stringify(body).replaceAll('<', '&lt;')}</pre>`)

/** Registers itself, then serves `/`, `/start` (off to the project), `/callback` (shows what came of it) and `/refresh` (renews the last person's tokens). */
export async function openClientApp({ issuer, name, scope = 'openid email profile', logo }: ClientAppOptions): Promise<ClientApp> {
  const started = new Map<string, Started>()
  let renewal = ''
  const server = createServer((request, response) => void answer(request, response).catch((error: unknown) => page(response, { failed: String(error), cause: (error as { error?: string }).error })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirect_uri = `${url}/callback`
  const metadata = { client_name: name, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'client_secret_basic', ...(logo ? { logo_uri: logo } : {}) }
  const config = await openid.dynamicClientRegistration(new URL(issuer), metadata, openid.ClientSecretBasic(), plain)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const address = new URL(request.url ?? '/', url)
    if (address.pathname === '/start') {
      const [verifier, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()]
      started.set(state, { verifier, state, nonce })
      const code_challenge = await openid.calculatePKCECodeChallenge(verifier)
      const target = openid.buildAuthorizationUrl(config, { redirect_uri, scope, state, nonce, code_challenge, code_challenge_method: 'S256' })
      return response.writeHead(302, { location: target.href }).end()
    }
    if (address.pathname === '/refresh') {
      const tokens = await openid.refreshTokenGrant(config, renewal)
      renewal = tokens.refresh_token ?? renewal
      return page(response, { renewed: true })
    }
    if (address.pathname !== '/callback') return page(response, {})
    const kept = started.get(address.searchParams.get('state') ?? '')
    if (!kept) return page(response, { failed: 'state' })
    const tokens = await openid.authorizationCodeGrant(config, address, { pkceCodeVerifier: kept.verifier, expectedState: kept.state, expectedNonce: kept.nonce, idTokenExpected: true })
    renewal = tokens.refresh_token ?? ''
    const info = await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')
    return page(response, { info, idToken: tokens.claims() })
  }

  return { url, clientId: config.clientMetadata().client_id, close: () => new Promise((resolve) => void server.close(() => resolve())) }
}
