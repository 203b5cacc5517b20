import { readArrival, type Arrival } from '#session/arrival.ts'

export interface TakenArrival {
  value: Arrival
  /** It did its work: going back to this page will not repeat it. */
  forget: () => void
}

/** What a reload may ask again with. A whole session is not kept anywhere but in its cookie. */
const isKept = (arrival: Arrival) => arrival.kind === 'code' || arrival.kind === 'token-hash'

/**
 * Reads what arrived and takes it out of the address at once: out of the visible line, the history, and what is sent
 * on as a referrer. It stays beside the entry of the history, so that a reload without a network loses nothing.
 */
export function takeArrival({ location, history }: Pick<Window, 'location' | 'history'>): TakenArrival {
  const arrived = readArrival(location.href)
  const value = arrived.kind === 'nothing' ? keptArrival(history.state) : arrived
  const clean = (kept: Arrival | null) => history.replaceState(kept && { arrival: kept }, '', location.pathname)
  if (arrived.kind !== 'nothing') clean(isKept(arrived) ? arrived : null)
  return { value, forget: () => clean(null) }
}

function keptArrival(state: unknown): Arrival {
  const kept: unknown = typeof state === 'object' && state !== null && 'arrival' in state ? state.arrival : undefined
  return typeof kept === 'object' && kept !== null && 'kind' in kept ? (kept as Arrival) : { kind: 'nothing' }
}
