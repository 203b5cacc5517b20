import { choicePage, pageStyle, wordsPage } from './page.ts'
import { openPeople, type People, type Person } from './people.ts'
import { createLent, isVerifierOf, readRequest, type AuthorizationRequest, type IdentityClient, type Lent, type Refusal } from './requests.ts'
import { claimsOf, createIdTokenSigner, idTokenLifetimeSeconds, type IdTokenSigner } from './tokens.ts'

/** An OpenID provider for this machine alone: whoever is at it says who they are. */
export interface IdentityProvider {
  /** Answers its own listener. Loopback only: nobody proves anything here. */
  fetch(request: Request): Promise<Response>
}

export interface IdentityProviderOptions {
  /** Where it is reached: `http://127.0.0.1:54325`, no trailing slash. */
  issuer: string
  clients: readonly IdentityClient[]
  /** What people call the project. */
  project: string
  /** Who is there before anybody has typed a name. */
  people?: readonly { name: string; email: string }[]
  /** Where people are kept; left out: in memory. */
  folder?: string
  /** Milliseconds since the epoch. Default: the system's. */
  now?: () => number
}

interface Granted {
  request: AuthorizationRequest
  person: Person
}

interface Parts {
  options: IdentityProviderOptions
  now: () => number
  people: People
  signer: IdTokenSigner
  waiting: Lent<AuthorizationRequest>
  codes: Lent<Granted>
  accessTokens: Lent<Person>
}

const shared = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

// No `form-action`: browsers hold each address that an answer to the form leads through to it, up to the app's own.
const pagePolicy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

const page = (html: string, status = 200): Response =>
  new Response(html, { status, headers: { ...shared, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy } })

const json = (body: unknown, status = 200): Response => Response.json(body, { status, headers: shared })

const refuse = (error: string, description: string, status = 400): Response => json({ error, error_description: description }, status)

function goTo(address: string, params: Readonly<Record<string, string>>): Response {
  const url = new URL(address)
  for (const [name, value] of Object.entries(params)) if (value !== '') url.searchParams.set(name, value)
  return new Response(null, { status: 303, headers: { ...shared, location: url.href } })
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks.json`,
  scopes_supported: ['openid', 'email', 'profile'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  claims_supported: ['sub', 'name', 'given_name', 'family_name', 'preferred_username', 'email', 'email_verified'],
})

const names: Readonly<Record<string, string>> = { local: '', github: 'GitHub', gitlab: 'GitLab', linkedin_oidc: 'LinkedIn', slack_oidc: 'Slack', azure: 'Microsoft', workos: 'WorkOS' }

const nameOf = (provider: string): string => names[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1)

type Typed = { name: string; email: string; isVerified: boolean }

function askWho({ options, people }: Parts, asked: { request: AuthorizationRequest; name: string; typed?: Typed; fault?: string }): Response {
  const { request, name, fault } = asked
  const typed = asked.typed ?? { name: '', email: request.loginHint, isVerified: true }
  const status = fault === undefined ? 200 : 422
  return page(choicePage({ project: options.project, standsInFor: nameOf(request.client.provider), request: name, people: people.list(), typed, ...(fault === undefined ? {} : { fault }) }), status)
}

function sayRefusal(issuer: string, refusal: Refusal): Response {
  if (refusal.to === 'person') return page(wordsPage('This sign-in cannot go on', refusal.words), 400)
  const { redirectUri, error, description, state } = refusal
  return goTo(redirectUri, { error, error_description: description, state, iss: issuer })
}

function begin(parts: Parts, query: URLSearchParams): Response {
  const { options, waiting } = parts
  const request = readRequest(options.clients, query)
  if ('to' in request) return sayRefusal(options.issuer, request)
  return askWho(parts, { request, name: waiting.lend(request) })
}

const usualAddress = /^[^\s@"<>]{1,64}@[^\s@"<>]{1,189}$/

async function personOf({ people }: Parts, form: URLSearchParams): Promise<Person | { fault: string; typed: Typed }> {
  const chosen = people.find(form.get('person') ?? '')
  if (chosen) return people.remember(chosen)
  const typed = { name: (form.get('name') ?? '').trim().slice(0, 100), email: (form.get('email') ?? '').trim().toLowerCase(), isVerified: form.get('verified') === 'yes' }
  if (!usualAddress.test(typed.email)) return { typed, fault: typed.email === '' ? 'Type an e-mail address.' : 'This is not an e-mail address.' }
  return people.remember(typed)
}

async function choose(parts: Parts, form: URLSearchParams): Promise<Response> {
  const { options, waiting, codes } = parts
  const name = form.get('request') ?? ''
  const request = waiting.look(name)
  if (!request) return page(wordsPage('This sign-in has ended', 'Go back to the app and begin again.'), 400)
  const { redirectUri, state } = request
  if (form.get('refuse') === 'yes') {
    waiting.take(name)
    return goTo(redirectUri, { error: 'access_denied', error_description: 'The person did not want to sign in', state, iss: options.issuer })
  }
  const person = await personOf(parts, form)
  if ('fault' in person) return askWho(parts, { request, name, ...person })
  waiting.take(name)
  return goTo(redirectUri, { code: codes.lend({ request, person }), state, iss: options.issuer })
}

const longestForm = 16 * 1024

async function readForm(request: Request): Promise<URLSearchParams> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > longestForm) return new URLSearchParams()
    parts.push(part)
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}

function clientIdOf(request: Request, form: URLSearchParams): string {
  const basic = /^Basic (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (basic === undefined) return form.get('client_id') ?? ''
  return decodeURIComponent(Buffer.from(basic, 'base64').toString().split(':', 1)[0] ?? '')
}

// Clients are known by PKCE: what they call their secret is that of the provider that is stood in for, and nobody here knows it.
async function trade(parts: Parts, request: Request): Promise<Response> {
  const form = await readForm(request)
  if (form.get('grant_type') !== 'authorization_code') return refuse('unsupported_grant_type', 'only authorization_code is known')
  const granted = parts.codes.take(form.get('code') ?? '')
  const isTheirs = granted?.request.client.clientId === clientIdOf(request, form) && granted.request.redirectUri === form.get('redirect_uri')
  if (!granted || !isTheirs || !isVerifierOf(granted.request.challenge, form.get('code_verifier') ?? '')) {
    return refuse('invalid_grant', 'the code is unknown, used, too old, or another client\'s')
  }
  const { person } = granted
  const accessToken = parts.accessTokens.lend(person)
  const { client, nonce, scope } = granted.request
  const issuedAt = Math.floor(parts.now() / 1000)
  const idToken = await parts.signer.sign({ issuer: parts.options.issuer, clientId: client.clientId, person, nonce, accessToken, issuedAt })
  return json({ access_token: accessToken, token_type: 'Bearer', expires_in: idTokenLifetimeSeconds, scope, id_token: idToken })
}

function tell({ accessTokens }: Parts, request: Request): Response {
  const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const person = accessTokens.look(token)
  return person ? json(claimsOf(person)) : refuse('invalid_token', 'the access token is unknown or too old', 401)
}

// A page of another site can make a browser ask this address under its own name (DNS rebinding). The name tells.
const isOwnName = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host)

// Programs send no such header; a browser that does must be on our own page.
const isOwnPage = (request: Request): boolean => ['same-origin', null].includes(request.headers.get('sec-fetch-site'))

async function answer(parts: Parts, request: Request): Promise<Response> {
  const { pathname, searchParams, host } = new URL(request.url)
  const { issuer } = parts.options
  if (!isOwnName(request.headers.get('host') ?? host)) return refuse('invalid_request', 'this provider answers to its own address only', 421)
  const asked = `${request.method} ${pathname}`
  switch (asked) {
    case 'GET /.well-known/openid-configuration': return json(metadata(issuer))
    case 'GET /jwks.json': return json(parts.signer.publicKeys)
    case 'GET /identity.css': return new Response(pageStyle, { headers: { ...shared, 'content-type': 'text/css; charset=utf-8' } })
    case 'GET /authorize': return begin(parts, searchParams)
    case 'POST /choose': return isOwnPage(request) ? choose(parts, await readForm(request)) : refuse('access_denied', 'not from another site', 403)
    case 'POST /token': return trade(parts, request)
    case 'GET /userinfo':
    case 'POST /userinfo': return tell(parts, request)
    case 'GET /': return page(wordsPage('Nobody is signing in', `Choose “Continue with …” on the sign-in page of ${parts.options.project}; the browser comes here then.`))
    default: return refuse('invalid_request', 'nothing here', 404)
  }
}

/** Opens the provider of a data folder, with the people of earlier runs. */
export async function createIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const now = options.now ?? Date.now
  const usual = (options.people ?? []).map(({ name, email }) => ({ name, email: email.toLowerCase(), isVerified: true }))
  const parts: Parts = {
    options,
    now,
    people: await openPeople(options.folder, usual),
    signer: await createIdTokenSigner(),
    waiting: createLent(30 * 60_000, now),
    codes: createLent(60_000, now),
    accessTokens: createLent(idTokenLifetimeSeconds * 1000, now),
  }
  return { fetch: (request) => answer(parts, request) }
}
