import type { Call } from '#api/call-log.ts'

export interface CallFilter {
  /** Words of which each must stand in path, code, status, method or request id. */
  search: string
  /** Empty: all. */
  service: string
  failedOnly: boolean
}

export const services = ['auth', 'rest', 'storage', 'functions', 'realtime'] as const

export const hasFailed = ({ status }: Pick<Call, 'status'>): boolean => status === 0 || status >= 400

/** The calls that fit, newest first. */
export function findCalls(calls: readonly Call[], { search, service, failedOnly }: CallFilter): Call[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return calls
    .filter((call) => {
      if ((service !== '' && call.service !== service) || (failedOnly && !hasFailed(call))) return false
      const text = `${call.method} ${call.path} ${call.status} ${call.errorCode} ${call.requestId}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toReversed()
}
