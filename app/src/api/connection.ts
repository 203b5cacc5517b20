/** Whether the project answers: `offline` after a call that got no answer, until the next one that does. */
export type Connection = 'online' | 'offline'

export interface ConnectionWatch {
  current(): Connection
  report(state: Connection): void
  subscribe(listener: () => void): () => void
}

/** Remembers what the latest call said. */
export function createConnectionWatch(): ConnectionWatch {
  let state: Connection = 'online'
  const listeners = new Set<() => void>()

  return {
    current: () => state,
    report(next) {
      if (next === state) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
