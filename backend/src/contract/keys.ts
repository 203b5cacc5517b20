/** The project's keys. `secrets` go to nobody but the services that need them. */
export interface ProjectKeys {
  /** `sb_publishable_…`: the browser's key, role `anon`. */
  publishableKey: string
  /** `sb_secret_…`: role `service_role`. Never sent to a browser. */
  secretKey: string
  /** HS256 secret of the older JWT keys; at least 32 bytes. */
  jwtSecret: string
  /** JWT with role `anon`, signed with `jwtSecret`. */
  anonKey: string
  /** JWT with role `service_role`, signed with `jwtSecret`. */
  serviceRoleKey: string
  /** Signs access tokens: a private JWK, or HS256 when only the secret is to be used. */
  signing: { alg: 'ES256' | 'RS256' | 'EdDSA'; kid: string; privateJwk: JsonWebKey } | { alg: 'HS256' }
  /** Public JWKs still accepted, newest first; what `/.well-known/jwks.json` answers. */
  publicJwks: readonly JsonWebKey[]
}
