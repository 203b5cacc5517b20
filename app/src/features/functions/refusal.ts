import { refusalOfCode, type PlatformRefusal } from '#api/function-call.ts'
import type { ReplyBody, ReplyHead } from './reply.ts'

/** Why a call was not what one wanted; each is a key of the catalogue's `functions.refusals`. */
export type Refusal = PlatformRefusal | 'method' | 'absent' | 'busy' | 'large' | 'relay' | 'own'

/** What the refusal says itself, where it says it in the usual places. */
export interface OwnWords {
  code: string
  message: string
}

export function ownWords(text: string): OwnWords {
  try {
    const { code, message, msg, error } = (JSON.parse(text) ?? {}) as Record<string, unknown>
    const said = [message, msg, error].find((value) => typeof value === 'string' && value !== '')
    return { code: typeof code === 'string' ? code : '', message: typeof said === 'string' ? said : '' }
  } catch {
    return { code: '', message: text.length <= 300 && !text.trimStart().startsWith('<') ? text.trim() : '' }
  }
}

/**
 * Who refused, and why. Undefined for an answer that is none.
 * A function may answer 404 or 503 itself: only the platform's own codes and words count as its.
 */
export function findRefusal({ status, isRelay, headers }: ReplyHead, { text }: Pick<ReplyBody, 'text'>): Refusal | undefined {
  if (status < 400) return undefined
  const { code: said, message } = ownWords(text)
  const code = headers.find(([name]) => name === 'sb-error-code' || name === 'x-sb-error-code')?.[1] ?? said
  const known = refusalOfCode(code)
  if (known) return known
  if (status === 546) return 'limit'
  if (status === 401 && (isRelay || /^(Invalid JWT|Error: (Missing authorization header|Auth header is not))/.test(message))) return 'unauthorized'
  if (status === 404 && (isRelay || message === 'Function not found')) return 'not-found'
  if (status === 504 && text === '') return 'timeout'
  if (status === 501) return 'absent'
  if (!isRelay) return 'own'
  if (status === 405) return 'method'
  if (status === 413) return 'large'
  return status === 429 || status === 503 ? 'busy' : 'relay'
}
