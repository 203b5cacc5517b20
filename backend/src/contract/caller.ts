/** What the SQL of one request may read about the request: the `request.*` settings PostgREST defines. */
export interface RequestFacts {
  /** Upper case: `GET`. */
  method: string
  /** Below the service's mount, with a leading slash: `/tickets`. */
  path: string
  /** Lower-case names. Never holds the `apikey` or `authorization` of a secret key. */
  headers: Readonly<Record<string, string>>
  cookies: Readonly<Record<string, string>>
}

/** On whose behalf SQL runs. Made by the gateway from the API key and the bearer token, by nobody else. */
export interface Caller {
  /** A database role: `anon`, `authenticated`, `service_role`, or a role of the project's own. */
  role: string
  /** The verified token's payload; `{ role }` when only an API key was given. Becomes `request.jwt.claims`. */
  claims: Readonly<Record<string, unknown>>
  /** Left out for work that no HTTP request asked for. */
  request?: RequestFacts
}

export const isServiceRole = (caller: Caller): boolean => caller.role === 'service_role'

/** The `sub` claim, a user id, when the caller is a signed-in person. */
export const callerUserId = (caller: Caller): string | undefined =>
  typeof caller.claims.sub === 'string' && caller.claims.sub !== '' ? caller.claims.sub : undefined
