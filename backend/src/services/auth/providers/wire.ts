import { z } from 'zod'

// As the hosted backend reads JSON: null and a missing member are the empty value.
const text = z.string().nullish().transform((given) => given ?? '')
const optionalText = z.string().nullish().transform((given) => given ?? undefined)
const optionalFlag = z.boolean().nullish().transform((given) => given ?? undefined)
const optionalTexts = z.array(z.string()).nullish().transform((given) => given ?? undefined)
const optionalBag = z.record(z.string(), z.unknown()).nullish().transform((given) => given ?? undefined)

export const idTokenGrantBody = z.object({
  id_token: text,
  access_token: text,
  nonce: text,
  provider: text,
  client_id: text,
  issuer: text,
  link_identity: z.boolean().nullish().transform((given) => given ?? false),
})
export type IdTokenGrant = z.output<typeof idTokenGrantBody>

/** What an administrator says of a custom provider; a new one must say more of it than a changed one. */
export const customProviderBody = z.object({
  provider_type: text,
  identifier: text,
  name: text,
  client_id: text,
  client_secret: text,
  acceptable_client_ids: optionalTexts,
  scopes: optionalTexts,
  pkce_enabled: optionalFlag,
  attribute_mapping: optionalBag,
  custom_claims_allowlist: optionalTexts,
  authorization_params: optionalBag,
  enabled: optionalFlag,
  email_optional: optionalFlag,
  issuer: text,
  discovery_url: optionalText,
  skip_nonce_check: optionalFlag,
  authorization_url: text,
  token_url: text,
  userinfo_url: text,
  jwks_uri: optionalText,
})
export type CustomProviderParams = z.output<typeof customProviderBody>
