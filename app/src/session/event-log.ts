/** Something the client told, or a change of who is signed in. Holds no token and nobody's name. */
export interface SessionEvent {
  /** Counts up from 1 within this page. */
  id: number
  /** Milliseconds since the epoch. */
  at: number
  /** The client's own word (`TOKEN_REFRESHED`), or the step the session came to (`signed-in`). */
  name: string
  /** `client`: an event of the official client; `state`: what the app concluded. */
  kind: 'client' | 'state'
  /** Another tab told it, not this one. */
  fromElsewhere: boolean
}

export interface EventLog {
  add(kind: SessionEvent['kind'], name: string): void
  /** The newest one was told by another tab. */
  markElsewhere(name: unknown): void
  /** Newest last; the same array until the next event. */
  list(): readonly SessionEvent[]
  subscribe(listener: () => void): () => void
}

const capacity = 200

export function createEventLog(): EventLog {
  let events: readonly SessionEvent[] = []
  let lastId = 0
  const listeners = new Set<() => void>()
  const show = (next: readonly SessionEvent[]) => {
    events = next
    for (const listener of listeners) listener()
  }
  return {
    add: (kind, name) => show([...events.slice(1 - capacity), { id: (lastId += 1), at: Date.now(), name, kind, fromElsewhere: false }]),
    markElsewhere(name) {
      const last = events.findLast((event) => event.kind === 'client')
      if (last?.name === name) show(events.map((event) => (event === last ? { ...event, fromElsewhere: true } : event)))
    },
    list: () => events,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
