import { z } from 'zod'

// As the hosted backend reads JSON: null and a missing member are the empty value.
const text = z.string().nullish().transform((given) => given ?? '')
const texts = z.array(z.string()).nullish().transform((given) => given ?? [])
const optionalText = z.string().nullish().transform((given) => given ?? undefined)

/** A registration, an administrator's or the application's own. Members of RFC 7591 that are not named here are ignored. */
export const registrationBody = z.object({
  redirect_uris: texts,
  client_type: text,
  token_endpoint_auth_method: text,
  grant_types: texts,
  client_name: text,
  client_uri: text,
  logo_uri: text,
})
export type Registration = z.output<typeof registrationBody>

export const clientUpdateBody = z.object({
  redirect_uris: z.array(z.string()).nullish().transform((given) => given ?? undefined),
  grant_types: z.array(z.string()).nullish().transform((given) => given ?? undefined),
  client_name: optionalText,
  client_uri: optionalText,
  logo_uri: optionalText,
  token_endpoint_auth_method: optionalText,
})
export type ClientUpdate = z.output<typeof clientUpdateBody>

export const consentBody = z.object({ action: text })

/** What `POST /oauth/token` takes, as a form or as JSON. */
export const tokenBody = z.object({
  grant_type: text,
  code: text,
  refresh_token: text,
  redirect_uri: text,
  client_id: text,
  client_secret: text,
  code_verifier: text,
  resource: text,
})
export type TokenRequest = z.output<typeof tokenBody>
