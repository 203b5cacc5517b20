import type { Transaction } from '#database/database.ts'
import { DatabaseError } from '#database/database-error.ts'
import { ServiceError } from '#contract/service-error.ts'

import type { Auth } from './auth.ts'
import { authError } from './errors.ts'
import { callHook } from './hooks.queries.ts'

/** Longest run of a hook in the database, as on the hosted backend. */
const longestRunMs = 2000

/** The hosted backend's word for a hook; the function finds it in `metadata.name`. */
export type HookName = 'custom-access-token' | 'before-user-created' | 'password-verification-attempt'

/** Reads `pg-functions://postgres/<schema>/<function>`. */
export function hookFunction(uri: string): { schema: string; name: string } | undefined {
  const parts = /^pg-functions:\/\/[^/]*\/([^/]+)\/([^/]+?)\/?$/.exec(uri)
  return parts?.[1] && parts[2] ? { schema: decodeURIComponent(parts[1]), name: decodeURIComponent(parts[2]) } : undefined
}

function hookRefusal(answer: unknown): ServiceError | undefined {
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined
  if (typeof error !== 'object' || error === null) return undefined
  const { http_code: status, message } = error as { http_code?: unknown; message?: unknown }
  return new ServiceError({
    status: typeof status === 'number' && status >= 400 && status < 600 ? status : 500,
    code: 'unexpected_failure',
    message: typeof message === 'string' && message !== '' ? message : 'Error running hook',
  })
}

/**
 * Asks a function of the project, inside the running transaction.
 *
 * @throws what the function answers as `{ error: { http_code, message } }`; `hook_timeout` (422) after two seconds.
 * @see supabase/auth internal/hooks/hookspgfunc
 */
export async function runHook(auth: Auth, tx: Transaction, hook: { uri: string; name: HookName; input: Readonly<Record<string, unknown>> }): Promise<Readonly<Record<string, unknown>>> {
  const target = hookFunction(hook.uri)
  if (!target) throw authError('unexpected_failure', { message: 'Unsupported hook: only pg-functions are run' })
  const metadata = { uuid: auth.random.uuid(), time: auth.now().toISOString(), name: hook.name }
  let answer: unknown
  try {
    answer = await callHook(tx, { ...target, input: { metadata, ...hook.input }, longestRunMs })
  } catch (error) {
    auth.logger.error('auth hook failed', { hook: `${target.schema}.${target.name}`, error })
    if (error instanceof DatabaseError && error.sqlstate === '57014') throw authError('hook_timeout', { cause: error })
    throw authError('unexpected_failure', { message: 'Error running hook URI: pg-functions', cause: error })
  }
  const refusal = hookRefusal(answer)
  if (refusal) throw refusal
  return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
}
