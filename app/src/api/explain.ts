import type { Messages } from '#messages/languages.ts'
import { AppError } from './app-error.ts'
import { toAppError } from './unwrap.ts'

/** A failure as a person reads it. */
export interface Explanation {
  /** What happened. */
  title: string
  whatToDo: string
  /** For those who want it: code, status, the server's own words, request id. */
  technical: string
}

/** Errors raised by the project's own rules and hooks speak to people already; no catalogue knows them better. */
function speaksForItself(error: AppError): boolean {
  if (error.message === '' || error.message.length > 300 || error.message.startsWith('<')) return false
  return error.code === 'P0001' || (error.code === '' && error.status >= 400 && error.status < 500)
}

/** Puts any failure into the reader's words: by the server's code, else by what kind of failure it is. */
export function explain(failure: unknown, words: Messages['errors']): Explanation {
  const error = toAppError(failure)
  const technical = technicalText(error)
  if (error.code === 'weak_password') return { ...words.weakPassword(reasonsOf(error)), technical }
  const seconds = error.status === 429 ? /after (\d+) second/.exec(error.message)?.[1] : undefined
  // The server cuts the rest of a second off: "after 0 seconds" is less than one.
  if (seconds !== undefined) return { ...words.waitSeconds(Math.max(1, Number(seconds))), technical }
  const known = Object.hasOwn(words.byCode, error.code) ? words.byCode[error.code] : undefined
  if (known) return { ...known, technical }
  if (speaksForItself(error)) return { title: error.message, whatToDo: error.hint || words.ownWords, technical }
  return { ...words.byKind[error.kind], technical }
}

const reasonsOf = (error: AppError): string[] => {
  const { reasons } = error.extra
  return Array.isArray(reasons) ? reasons.filter((reason): reason is string => typeof reason === 'string') : []
}

function technicalText(error: AppError): string {
  const lines = [
    [error.code, error.status === 0 ? '' : `HTTP ${error.status}`].filter((part) => part !== '').join(' · '),
    error.message,
    error.details,
    error.hint,
    error.requestId === '' ? '' : `request ${error.requestId}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}
