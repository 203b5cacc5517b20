import { frameAround, frameBinary, frameText } from './frame.ts'
import type { Ref, UserBroadcast, Version } from './message.ts'

export interface Reply {
  joinRef: Ref
  ref: Ref
  topic: string
  status: 'ok' | 'error'
  response: unknown
}

export interface Push {
  /** Null for what goes to everybody on a topic. */
  joinRef: Ref
  ref?: Ref
  topic: string
  event: string
  /** JSON as text. */
  json: string
}

/** A message to one channel, or to all of a topic. */
export function encodePush(version: Version, { json, ...push }: Push): Buffer {
  const [before, after] = around(version, push)
  return frameText(before + json + after)
}

/** As `encodePush`, with a payload that is the same for many: each frame has its own ends, the bytes between are shared. */
export const encodeShared = (version: Version, { shared, ...push }: Omit<Push, 'json'> & { shared: Buffer }): readonly Buffer[] => {
  const [before, after] = around(version, push)
  return frameAround(before, shared, after)
}

function around(version: Version, { joinRef, ref = null, topic, event }: Omit<Push, 'json'>): [before: string, after: string] {
  const [refText, topicText, eventText] = [ref, topic, event].map((part) => JSON.stringify(part))
  if (version === 1) return [`{"ref":${refText},"topic":${topicText},"event":${eventText},"payload":`, '}']
  return [`[${JSON.stringify(joinRef)},${refText},${topicText},${eventText},`, ']']
}

export const encodeReply = (version: Version, { joinRef, ref, topic, status, response }: Reply): Buffer =>
  encodePush(version, { joinRef, ref, topic, event: 'phx_reply', json: JSON.stringify({ status, response }) })

const userBroadcast = 4
const longestPart = 255

function binaryBroadcast(topic: string, { event, payload }: UserBroadcast, meta: string): Buffer | undefined {
  const parts = [topic, event, meta].map((part) => Buffer.from(part))
  if (parts.some((part) => part.length > longestPart)) return undefined
  const isJson = 'json' in payload
  const header = Buffer.from([userBroadcast, ...parts.map((part) => part.length), isJson ? 1 : 0])
  return frameBinary([header, ...parts, isJson ? Buffer.from(payload.json) : payload.bytes])
}

const bodyOf = ({ event, payload }: UserBroadcast, meta: string): string | undefined =>
  'json' in payload ? `{"event":${JSON.stringify(event)},"payload":${payload.json},"type":"broadcast"${meta === '' ? '' : `,"meta":${meta}`}}` : undefined

/**
 * A broadcast as the members of one version get it: a binary frame of kind 4, JSON for version 1.
 *
 * @param topic with its `realtime:` prefix.
 * @returns undefined when this version cannot carry it: bytes in version 1. Names too long for a binary frame travel as text.
 * @see supabase/realtime lib/realtime_web/socket/user_broadcast.ex
 */
export function encodeBroadcast(version: Version, topic: string, message: UserBroadcast & { meta?: object }): Buffer | undefined {
  const meta = message.meta === undefined ? '' : JSON.stringify(message.meta)
  const frame = version === 2 ? binaryBroadcast(topic, message, meta) : undefined
  if (frame) return frame
  const json = bodyOf(message, meta)
  return json === undefined ? undefined : encodePush(version, { joinRef: null, topic, event: 'broadcast', json })
}
