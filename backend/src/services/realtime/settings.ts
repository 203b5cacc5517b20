/** What Realtime allows. The defaults are the hosted backend's larger plan: the box belongs to whoever runs it. */
export interface RealtimeSettings {
  /** Sockets at once. */
  maxConnections: number
  maxChannelsPerConnection: number
  /** Joins a second in this process, and by one socket. Twice as many may come at once. */
  maxJoinsPerSecond: number
  maxJoinsPerSecondPerConnection: number
  /** Broadcasts and other messages a second in this process (over HTTP as many again), and by one socket. Twice as many may come at once. */
  maxEventsPerSecond: number
  maxEventsPerSecondPerConnection: number
  maxPresenceEventsPerSecond: number
  /** Presence messages one channel of one client may send in a window. */
  clientPresence: { maxEvents: number; windowMs: number }
  /** One broadcast, or one presence. */
  maxPayloadBytes: number
  maxFrameBytes: number
  /** One join; it is kept as long as its channel is. */
  maxJoinBytes: number
  /** One header of a handshake, cookies excepted. */
  maxHeaderBytes: number
  /** A socket that sends nothing for this long is closed. */
  idleTimeoutMs: number
  /** Before a refused handshake, and before the answer to a refused join, so that clients that try again do so slowly. */
  refusalDelayMs: number
  joinErrorDelayMs: number
  /** What may wait for a client that reads slowly, and for all of them together. */
  maxQueuedBytes: number
  maxQueuedBytesOfAll: number
  /** What people say of themselves, in this process. */
  maxPresenceBytes: number
  /** How long `replication_ready` is waited for. */
  replicationReadyMs: number
}

export const defaultRealtimeSettings: RealtimeSettings = {
  maxConnections: 10_000,
  maxChannelsPerConnection: 100,
  maxJoinsPerSecond: 2_500,
  maxJoinsPerSecondPerConnection: 100,
  maxEventsPerSecond: 2_500,
  maxEventsPerSecondPerConnection: 500,
  maxPresenceEventsPerSecond: 1_000,
  clientPresence: { maxEvents: 5, windowMs: 30_000 },
  maxPayloadBytes: 3_000_500,
  maxFrameBytes: 5_000_000,
  maxJoinBytes: 256_000,
  maxHeaderBytes: 4_096,
  idleTimeoutMs: 60_000,
  refusalDelayMs: 2_000,
  joinErrorDelayMs: 5_000,
  maxQueuedBytes: 16_000_000,
  maxQueuedBytesOfAll: 256_000_000,
  maxPresenceBytes: 64_000_000,
  replicationReadyMs: 60_000,
}
