import { createHmac } from 'node:crypto'

import { ServiceError } from '#contract/service-error.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { AnswerTooLarge, type Outbound } from '#services/auth/outbound.ts'

/** A hook that is asked over HTTP. */
export interface HttpHook {
  uri: string
  /** `v1,whsec_<base64>`, each. All of them sign, so that one can be replaced without a gap. */
  secrets: readonly string[]
}

/** One question to a hook, and how long it may take. */
export interface HttpQuestion {
  hook: HttpHook
  payload: unknown
  outbound: Outbound
  newId(): string
  nowMs(): number
  pace?: HookPace
}

export interface HookPace {
  /** Longest wait, all tries together. */
  timeoutMs: number
  /** Between two tries when the hook cannot be reached. */
  pauseMs: number
}

const usualPace: HookPace = { timeoutMs: 5000, pauseMs: 2000 }
const mostTries = 3
const longestAnswerBytes = 200 * 1024

/** The symmetric signature of the Standard Webhooks specification. */
export function signWebhook(secret: string, message: { id: string; timestamp: string; payload: string }): string {
  const key = Buffer.from(secret.replace(/^v1,/, '').replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${message.id}.${message.timestamp}.${message.payload}`).digest('base64')}`
}

// Projects made for containers call the machine so.
const reachable = (uri: string): string => uri.replace(/^http:\/\/host\.docker\.internal(?=[:/]|$)/i, 'http://127.0.0.1')

const unavailable = () => authError('unexpected_failure', { message: 'Service currently unavailable due to hook' })
const tooSlow = (pace: HookPace, cause: unknown) =>
  authError('hook_timeout', { message: `Failed to reach hook within maximum time of ${(pace.timeoutMs / 1000).toFixed(6)} seconds`, cause })

function requireJson(answer: Response): void {
  const type = answer.headers.get('content-type') ?? ''
  const refuse = (message: string) => authError('hook_payload_invalid_content_type', { message })
  if (type === '') throw refuse('Invalid Content-Type: Missing Content-Type header')
  if (type.split(';')[0]?.trim().toLowerCase() !== 'application/json') throw refuse(`Invalid JSON response. Received content-type: ${type}`)
}

async function readAnswer(answer: Response): Promise<unknown> {
  requireJson(answer)
  try {
    return JSON.parse(await answer.text())
  } catch (cause) {
    throw authError('unexpected_failure', { message: 'Error unmarshaling JSON output.', cause })
  }
}

const refusals: Readonly<Record<number, string>> = { 400: 'Invalid payload sent to hook', 401: 'Hook requires authorization token' }

const tryAgain = Symbol('try again')

async function readOutcome(answer: Response): Promise<unknown> {
  if (answer.status === 204) return {}
  if (answer.status === 200 || answer.status === 202) return readAnswer(answer)
  if (answer.status === 429 || answer.status === 503) {
    if ((answer.headers.get('retry-after') ?? '') === '') throw unavailable()
    return tryAgain
  }
  throw authError('unexpected_failure', { message: refusals[answer.status] ?? `Unexpected status code returned from hook: ${answer.status}` })
}

async function askOnce({ hook, payload, outbound, newId, nowMs }: HttpQuestion, signal: AbortSignal): Promise<unknown> {
  const body = JSON.stringify(payload)
  const [id, timestamp] = [newId(), String(Math.floor(nowMs() / 1000))]
  const answer = await outbound(reachable(hook.uri), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': hook.secrets.map((secret) => signWebhook(secret, { id, timestamp, payload: body })).join(', '),
    },
    body,
    longestBodyBytes: longestAnswerBytes,
    signal,
  })
  return readOutcome(answer)
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    }, { once: true })
  })
}

async function askRepeatedly(question: HttpQuestion, pace: HookPace, signal: AbortSignal): Promise<unknown> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    try {
      const outcome = await askOnce(question, signal)
      if (outcome !== tryAgain) return outcome
    } catch (error) {
      if (error instanceof ServiceError || signal.aborted) throw error
      if (error instanceof AnswerTooLarge) {
        throw authError('hook_payload_over_size_limit', { message: `Payload size exceeded size limit of ${longestAnswerBytes} bytes`, cause: error })
      }
      if (tries === mostTries) throw authError('hook_timeout_after_retry', { message: 'Failed to reach hook after maximum retries', cause: error })
      await pauseFor(pace.pauseMs, signal)
    }
  }
  throw unavailable()
}

/**
 * Asks a hook: signed after Standard Webhooks, five seconds and three tries at most, again on 429 and 503 with `Retry-After`.
 *
 * @throws `hook_timeout`, `hook_timeout_after_retry`, `hook_payload_over_size_limit` (422), `hook_payload_invalid_content_type` (400),
 * `unexpected_failure` (500) for any other answer.
 * @see supabase/auth internal/hooks/hookshttp, `runHTTPHook`
 */
export async function askHttpHook(question: HttpQuestion): Promise<unknown> {
  if (question.hook.secrets.length === 0) throw invalidRequest('A hook over HTTP needs a secret')
  const pace = question.pace ?? usualPace
  const signal = AbortSignal.timeout(pace.timeoutMs)
  try {
    return await askRepeatedly(question, pace, signal)
  } catch (error) {
    throw signal.aborted && !(error instanceof ServiceError) ? tooSlow(pace, error) : error
  }
}
