import type { AuthMethod, ClientType } from './clients.queries.ts'
import { redirectUriFault } from './redirect-uri.ts'
import type { ClientUpdate, Registration } from './wire.ts'

export const grantTypes = ['authorization_code', 'refresh_token'] as const

const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const
const isAuthMethod = (text: string): text is AuthMethod => (authMethods as readonly string[]).includes(text)

const typeOf = (method: AuthMethod): ClientType => (method === 'none' ? 'public' : 'confidential')
const methodsOf = (type: ClientType): readonly AuthMethod[] => authMethods.filter((method) => typeOf(method) === type)

const redirectUrisFault = (uris: readonly string[]): string | undefined => {
  if (uris.length === 0) return 'redirect_uris cannot be empty'
  if (uris.length > 10) return 'redirect_uris cannot exceed 10 items'
  return uris.map((uri) => [uri, redirectUriFault(uri)]).flatMap(([uri, fault]) => (fault ? [`invalid redirect_uri '${uri}': ${fault}`] : []))[0]
}

const grantTypesFault = (given: readonly string[]): string | undefined => {
  if (given.length === 0) return 'grant_types cannot be empty'
  const isKnown = given.every((one) => (grantTypes as readonly string[]).includes(one))
  return isKnown ? undefined : "grant_types must only contain 'authorization_code' and/or 'refresh_token'"
}

const nameFault = (name: string): string | undefined => (name.length > 1024 ? 'client_name cannot exceed 1024 characters' : undefined)

// A consent page makes a link or a picture of these two: nothing but the web can stand there.
function addressFault(member: 'client_uri' | 'logo_uri', address: string): string | undefined {
  if (address === '') return undefined
  if (address.length > 2048) return `${member} cannot exceed 2048 characters`
  const isWeb = /^https?:\/\/[^/]/i.test(address) && URL.canParse(address)
  return isWeb ? undefined : `${member} must be a valid URL`
}

/** How a client proves itself: what it names, else what follows from what it names, else a secret. */
export interface ClientKind {
  type: ClientType
  method: AuthMethod
}

function readKind({ client_type: type, token_endpoint_auth_method: method }: Registration): ClientKind | { fault: string } {
  if (type !== '' && type !== 'public' && type !== 'confidential') return { fault: "client_type must be 'public' or 'confidential'" }
  if (method !== '' && !isAuthMethod(method)) return { fault: `token_endpoint_auth_method must be one of: [${authMethods.join(' ')}]` }
  if (method === '') return type === 'public' ? { type, method: 'none' } : { type: 'confidential', method: 'client_secret_basic' }
  const follows = typeOf(method)
  if (type === '' || type === follows) return { type: follows, method }
  return { fault: `client_type '${type}' is inconsistent with token_endpoint_auth_method '${method}' (expected client_type '${follows}')` }
}

/**
 * Reads how a client will prove itself, or says what is wrong with its registration.
 *
 * @see supabase/auth internal/api/oauthserver/service.go, `OAuthServerClientRegisterParams.validate`
 */
export function judgeRegistration(given: Registration): ClientKind | { fault: string } {
  const fault =
    (given.redirect_uris.length === 0 ? 'redirect_uris is required' : redirectUrisFault(given.redirect_uris)) ??
    (given.grant_types.length > 0 ? grantTypesFault(given.grant_types) : undefined) ??
    nameFault(given.client_name) ??
    addressFault('client_uri', given.client_uri) ??
    addressFault('logo_uri', given.logo_uri)
  return fault === undefined ? readKind(given) : { fault }
}

/** What is wrong with a change to a client of this type; undefined: nothing. */
export function updateFault(given: ClientUpdate, type: ClientType): string | undefined {
  const method = given.token_endpoint_auth_method
  const fault =
    (given.redirect_uris && redirectUrisFault(given.redirect_uris)) ??
    (given.grant_types && grantTypesFault(given.grant_types)) ??
    nameFault(given.client_name ?? '') ??
    addressFault('client_uri', given.client_uri ?? '') ??
    addressFault('logo_uri', given.logo_uri ?? '')
  if (fault !== undefined || method === undefined) return fault
  if (!isAuthMethod(method)) return `invalid token_endpoint_auth_method: must be one of [${authMethods.join(' ')}]`
  const methods = methodsOf(type)
  return methods.includes(method) ? undefined : `token_endpoint_auth_method '${method}' is not valid for client_type '${type}'; valid methods: [${methods.join(' ')}]`
}
