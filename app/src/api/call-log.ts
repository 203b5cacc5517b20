/** One finished or failed call to the project, without its secrets: no headers, no bodies, no tokens in the address. */
export interface Call {
  /** Counts up from 1 within this page. */
  id: number
  /** Milliseconds since the epoch, when the call was sent. */
  at: number
  method: string
  /** `/rest/v1/tickets?select=id`, percent-encoded as sent; values of secret parameters are left out. */
  path: string
  /** `auth`, `rest`, `storage`, `functions`, `realtime`, or empty. */
  service: string
  /** HTTP status; 0 when no answer came. */
  status: number
  durationMs: number
  /** The server's id of the request, empty when it sent none. */
  requestId: string
  /** The server's code for its refusal: `invalid_credentials`, `42501`, `BOOT_ERROR`. Empty when it named none. */
  errorCode: string
  /** Asked with a person's token, or with the project's public key alone. */
  role: 'user' | 'public'
  /** As sent over the wire, where the server tells it beforehand; null otherwise. */
  sizeBytes: number | null
}

export interface CallLog {
  add(call: Omit<Call, 'id'>): void
  /** Newest last; the same array until the next call, so it can feed `useSyncExternalStore`. */
  list(): readonly Call[]
  subscribe(listener: () => void): () => void
}

const secretParameters = /([?&](?:token|token_hash|access_token|refresh_token|apikey|code|code_challenge|email|phone)=)[^&]*/g

/** The part of an address that may be shown: path and query as they were sent, secrets replaced by `…`. */
export const shownPath = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string => pathname + search.replaceAll(secretParameters, '$1…')

/** Keeps the latest calls, 500 unless told otherwise. */
export function createCallLog(capacity = 500): CallLog {
  let calls: readonly Call[] = []
  let lastId = 0
  const listeners = new Set<() => void>()

  return {
    add(call) {
      lastId += 1
      calls = [...calls.slice(-(capacity - 1)), { ...call, id: lastId }]
      for (const listener of listeners) listener()
    },
    list: () => calls,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
