import { responseHeadersNotUnderstood, responseStatusNotUnderstood } from '#services/rest/errors.ts'
import type { Outcome } from '#services/rest/run-plan.ts'
import type { Reply } from './reply.ts'

/** Headers and status that the request's own SQL asked for by `response.headers` and `response.status`. */

function parseHeaders(text: string): [string, string][] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw responseHeadersNotUnderstood()
  }
  if (!Array.isArray(value)) throw responseHeadersNotUnderstood()
  return value.map((item: unknown) => {
    const pairs = typeof item === 'object' && item !== null ? Object.entries(item) : []
    const [pair] = pairs
    if (pairs.length !== 1 || !pair || typeof pair[1] !== 'string') throw responseHeadersNotUnderstood()
    return [pair[0], pair[1]]
  })
}

function parseStatus(text: string): number {
  const match = /^\d+/.exec(text)
  if (!match) throw responseStatusNotUnderstood()
  return Number(match[0])
}

/** Lets headers given by SQL replace the reply's own. Several of one name (`Set-Cookie`) are all sent. */
export function withGivenHeaders(reply: Reply, { responseHeaders, responseStatus }: Outcome): Reply {
  if (responseHeaders === null && responseStatus === null) return reply
  const given = responseHeaders === null ? [] : parseHeaders(responseHeaders)
  const names = new Set(given.map(([name]) => name.toLowerCase()))
  return {
    ...reply,
    status: responseStatus === null ? reply.status : parseStatus(responseStatus),
    headers: Object.fromEntries(Object.entries(reply.headers).filter(([name]) => !names.has(name.toLowerCase()))),
    given,
  }
}
