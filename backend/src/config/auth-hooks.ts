import { z } from 'zod'
import { flag } from './scalars.ts'

/** A hook that is switched on. */
export interface HookConfig {
  /** `pg-functions://postgres/<schema>/<function>`, `https://…`, or `http://` of this machine. */
  uri: string
  /** `v1,whsec_…`, each. Empty for a function of the database. */
  secrets: readonly string[]
}

const secretForm = /^v1,whsec_[A-Za-z0-9+/=]{32,88}$/
const ownMachine = new Set(['localhost', '127.0.0.1', '[::1]', 'host.docker.internal'])

const secretFault = (secrets: readonly string[]): string | undefined =>
  secrets.length > 0 && secrets.every((secret) => secretForm.test(secret))
    ? undefined
    : 'secrets must be "v1,whsec_<base64>" with at least 32 characters behind the underscore, several parted by |'

// Without TLS only this machine is spoken to: what is sent holds codes and people.
function uriFault(uri: string): string | undefined {
  if (/^pg-functions:\/\/[^/]*\/[A-Za-z_][\w]*\/[A-Za-z_][\w]*\/?$/.test(uri)) return undefined
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (url?.protocol === 'https:') return undefined
  if (url?.protocol === 'http:') return ownMachine.has(url.hostname) ? undefined : 'uri: http is for this machine only (localhost, 127.0.0.1, ::1); use https'
  return 'uri must start with pg-functions://postgres/<schema>/<function>, https:// or, for this machine, http://'
}

/** `[auth.hook.*]`. Null: off. @see supabase/auth internal/conf, `ValidateExtensibilityPoint` */
export const hookSection = z
  .strictObject({ enabled: flag.default(false), uri: z.string().default(''), secrets: z.string().default('') })
  .transform((toml, context): HookConfig | null => {
    if (!toml.enabled || toml.uri === '') return null
    const isFunction = toml.uri.startsWith('pg-functions:')
    const secrets = isFunction ? [] : toml.secrets.split('|').filter((secret) => secret !== '')
    const fault = uriFault(toml.uri) ?? (isFunction ? undefined : secretFault(secrets))
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
    return { uri: toml.uri, secrets }
  })
  .prefault({})
