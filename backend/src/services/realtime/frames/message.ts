/** The serializer a client asked for by `vsn`: objects (1) or arrays and binary frames (2). */
export type Version = 1 | 2

/** Chosen by the client and given back as it came. */
export type Ref = string | number | null

/** What a broadcast carries: JSON as text that was checked to be JSON, or bytes. */
export type Payload = { json: string } | { bytes: Uint8Array }

export interface UserBroadcast {
  event: string
  payload: Payload
}

/** One message of a client. */
export interface Incoming {
  joinRef: Ref
  ref: Ref
  topic: string
  event: string
  payload: unknown
  /** Set when it came as a binary frame of kind 3; `event` is then `broadcast`. */
  broadcast?: UserBroadcast
}
