import { ServiceError } from '#contract/service-error.ts'
import { DatabaseError } from '#database/database-error.ts'
import type { Transaction } from '#database/database.ts'
import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'
import type { HookSettings } from '#services/auth/settings.ts'
import { askOutside } from '#services/auth/transactions.ts'

import { callHook } from './hooks.queries.ts'
import { askHttpHook } from './http-hook.ts'

/** Longest run of a hook in the database, as on the hosted backend. */
const longestRunMs = 2000

/** The hosted backend's words for its hooks; a hook finds its own in `metadata.name`. */
export type HookName =
  | 'send-sms'
  | 'send-email'
  | 'customize-access-token'
  | 'mfa-verification'
  | 'password-verification'
  | 'before-user-created'
  | 'after-user-created'

const secretsOf: Readonly<Record<HookName, Exclude<keyof HookSettings, 'secrets'>>> = {
  'send-sms': 'sendSms',
  'send-email': 'sendEmail',
  'customize-access-token': 'customAccessToken',
  'mfa-verification': 'mfaVerificationAttempt',
  'password-verification': 'passwordVerificationAttempt',
  'before-user-created': 'beforeUserCreated',
  'after-user-created': 'afterUserCreated',
}

type Input = Readonly<Record<string, unknown>>

/** One question to a hook of the project. */
export interface HookCall {
  /** `pg-functions://postgres/<schema>/<function>`, `https://…`, or `http://` of this machine. */
  uri: string
  name: HookName
  input: Input
  /** The caller's address. */
  ip?: string
}

/** Reads `pg-functions://postgres/<schema>/<function>`. */
export function hookFunction(uri: string): { schema: string; name: string } | undefined {
  const parts = /^pg-functions:\/\/[^/]*\/([^/]+)\/([^/]+?)\/?$/.exec(uri)
  return parts?.[1] && parts[2] ? { schema: decodeURIComponent(parts[1]), name: decodeURIComponent(parts[2]) } : undefined
}

const isHttp = (uri: string): boolean => /^https?:\/\//i.test(uri)

// As the hosted backend: an error without words is none, and without a status it is 500.
function hookRefusal(answer: unknown): ServiceError | undefined {
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined
  if (typeof error !== 'object' || error === null) return undefined
  const { http_code: given, message } = error as { http_code?: unknown; message?: unknown }
  if (typeof message !== 'string' || message === '') return undefined
  const status = typeof given === 'number' && given >= 400 && given < 600 ? given : 500
  return new ServiceError({ status, code: status === 500 ? 'unexpected_failure' : 'unknown', message })
}

const withMetadata = (auth: Auth, { name, input, ip }: HookCall): Input => ({
  metadata: { uuid: auth.random.uuid(), time: auth.now().toISOString(), name, ...(ip ? { ip_address: ip } : {}) },
  ...input,
})

async function askFunction(auth: Auth, tx: Transaction, hook: HookCall): Promise<unknown> {
  const target = hookFunction(hook.uri)
  if (!target) throw authError('unexpected_failure', { message: `unsupported protocol: ${JSON.stringify(hook.uri)} only postgres hooks and HTTPS functions are supported at the moment` })
  try {
    return await callHook(tx, { ...target, input: withMetadata(auth, hook), longestRunMs })
  } catch (error) {
    auth.logger.error('auth hook failed', { hook: `${target.schema}.${target.name}`, error })
    if (error instanceof DatabaseError && error.sqlstate === '57014') throw authError('hook_timeout', { cause: error })
    throw authError('unexpected_failure', { message: `Error running hook URI: ${hook.uri}`, cause: error })
  }
}

async function askHttp(auth: Auth, hook: HookCall): Promise<unknown> {
  const secrets = auth.settings.hooks.secrets?.[secretsOf[hook.name]] ?? []
  try {
    return await askHttpHook({
      hook: { uri: hook.uri, secrets },
      payload: withMetadata(auth, hook),
      // The operator's own file names it.
      outbound: auth.outbound('anywhere'),
      newId: () => auth.random.uuid(),
      nowMs: () => auth.now().getTime(),
    })
  } catch (error) {
    // The path of a hook's address may hold a secret of its own.
    auth.logger.error('auth hook failed', { hook: new URL(hook.uri).origin, error })
    throw error
  }
}

interface HttpAnswer {
  input: Input
  answer: unknown
}

// The person or the address a hook is asked about; the same twice in one transaction is the same question.
const aboutOf = ({ name, input }: HookCall): string => {
  const user = typeof input.user === 'object' && input.user !== null ? (input.user as Input) : {}
  return [name, input.user_id, input.valid, input.authentication_method, user.email, user.phone, user.is_anonymous].join(' ')
}

// The transaction was begun anew after the hook answered: what is fresh in it each time, a session's id or a moment, is put in the place
// of what the hook was shown, unless the hook itself has changed it.
function renew({ input: shown, answer }: HttpAnswer, now: Input): unknown {
  const [before, after] = [shown.claims, now.claims]
  const isBag = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isBag(before) || !isBag(after) || !isBag(answer) || !isBag(answer.claims)) return answer
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
  const { claims } = answer
  const renewed = ['session_id', 'iat', 'exp', 'amr'].filter((name) => name in claims && same(claims[name], before[name])).map((name) => [name, after[name]])
  return { ...answer, claims: { ...claims, ...Object.fromEntries(renewed) } }
}

/**
 * Asks a hook of the project: a function inside the running transaction, or an address outside of it.
 *
 * @throws what the hook answers as `{ error: { http_code, message } }`; `hook_timeout` (422); `askHttpHook`'s failures.
 * @see supabase/auth internal/hooks/v0hooks, `dispatch`
 */
export async function runHook(auth: Auth, tx: Transaction, hook: HookCall): Promise<Input> {
  const ask = async (): Promise<HttpAnswer> => ({ input: hook.input, answer: await askHttp(auth, hook) })
  const answer = isHttp(hook.uri)
    ? renew((await askOutside(tx, { about: aboutOf(hook), ask })) as HttpAnswer, hook.input)
    : await askFunction(auth, tx, hook)
  const refusal = hookRefusal(answer)
  if (refusal) throw refusal
  return typeof answer === 'object' && answer !== null ? (answer as Input) : {}
}
