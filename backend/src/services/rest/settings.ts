/** How the data API is set up; the hosted backend's values are the defaults. */
export interface RestSettings {
  /** Schemas clients may name; the first is the default. */
  schemas: readonly [string, ...string[]]
  /** Schemas on every request's search path, after the requested one. */
  extraSearchPath: readonly string[]
  /** Most rows a read answers. Undefined: all of them. */
  maxRows: number | undefined
  /** Role of callers without a token. Undefined refuses them (PGRST302). */
  anonRole: string | undefined
  /** What ends a transaction; all but `commit` are for tests. */
  transactionEnd: 'commit' | 'commit-allow-override' | 'rollback' | 'rollback-allow-override'
  aggregates: boolean
  /** Whether a change or removal of rows must say which: the hosted backend loads pg-safeupdate for that. */
  requiresFilter: boolean
  /** Whether `application/vnd.pgrst.plan` is answered. It tells much about the database. */
  plans: boolean
  /** Function called before every request's statement: `auth.check` or `check`. */
  preRequest: string | undefined
  /** Function that answers `/` instead of the OpenAPI document. */
  rootFunction: string | undefined
  openApi: 'follow-privileges' | 'ignore-privileges' | 'disabled'
  /** Roles that may read the OpenAPI document; undefined lets everyone. Hosted gateways let secret keys only. */
  openApiRoles: readonly string[] | undefined
  /** Settings of a function (`alter function … set`) that hold for its whole transaction. */
  hoistedSettings: readonly string[]
  /** `app.settings.…` for every request. */
  appSettings: Readonly<Record<string, string>>
}

export const defaultRestSettings: RestSettings = {
  schemas: ['public', 'graphql_public'],
  extraSearchPath: ['public', 'extensions'],
  maxRows: 1000,
  anonRole: 'anon',
  transactionEnd: 'commit',
  aggregates: false,
  requiresFilter: true,
  plans: false,
  preRequest: undefined,
  rootFunction: undefined,
  openApi: 'follow-privileges',
  openApiRoles: ['service_role'],
  hoistedSettings: ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'],
  appSettings: {},
}
