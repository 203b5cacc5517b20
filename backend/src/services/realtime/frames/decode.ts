import type { Incoming, Payload, Ref, Version } from './message.ts'

// Refs are kept and repeated; those of the client are counters.
const longestRef = 255
const isRef = (value: unknown): value is Ref => value === null || (typeof value === 'string' && value.length <= longestRef) || typeof value === 'number'

function check(parts: { joinRef: unknown; ref: unknown; topic: unknown; event: unknown; payload: unknown }): Incoming | undefined {
  const { joinRef, ref, topic, event, payload } = parts
  if (typeof topic !== 'string' || typeof event !== 'string' || !isRef(ref) || !isRef(joinRef)) return undefined
  return { joinRef, ref, topic, event, payload }
}

function fromText(version: Version, value: unknown): Incoming | undefined {
  if (version === 2) {
    if (!Array.isArray(value) || value.length < 5) return undefined
    const [joinRef, ref, topic, event, payload] = value as unknown[]
    return check({ joinRef, ref, topic, event, payload })
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { topic, event, payload, ref = null, join_ref: joinRef = null } = value as Record<string, unknown>
  return check({ joinRef, ref, topic, event, payload })
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const userBroadcastPush = 3
const headerBytes = 7

// Members of the older version get the text inside a larger one: what is not JSON by itself could forge the rest of the message.
function readPayload(bytes: Uint8Array, isJson: boolean): Payload {
  if (!isJson) return { bytes }
  const json = utf8.decode(bytes)
  JSON.parse(json)
  return { json }
}

function fromBinary(data: Buffer): Incoming | undefined {
  const [kind, joinRefLength = 0, refLength = 0, topicLength = 0, eventLength = 0, metaLength = 0, encoding] = data
  if (kind !== userBroadcastPush || data.length < headerBytes) return undefined
  let at = headerBytes
  const take = (length: number): Buffer => data.subarray(at, (at += length))
  const parts = [joinRefLength, refLength, topicLength, eventLength, metaLength].map(take)
  if (at > data.length) return undefined
  const [joinRef = '', ref = '', topic = '', event = ''] = parts.slice(0, 4).map((part) => utf8.decode(part))
  const payload = readPayload(data.subarray(at), encoding !== 0)
  return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload: undefined, broadcast: { event, payload } }
}

/** Reads one message; undefined when it is none. @see supabase/realtime lib/realtime_web/socket/v2_serializer.ex */
export function decode(version: Version, data: Buffer, isBinary: boolean): Incoming | undefined {
  try {
    return isBinary && version === 2 ? fromBinary(data) : fromText(version, JSON.parse(utf8.decode(data)))
  } catch {
    return undefined
  }
}
