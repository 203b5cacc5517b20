import type { Channel, Joined } from './channel.ts'
import { tooManyEvents } from './errors.ts'
import type { Incoming } from './frames/message.ts'
import type { Message } from './groups.ts'
import { isObject } from './wire.ts'

interface Sized {
  message: Message
  bytes: number
}

function readMessage({ broadcast, payload }: Incoming): Sized | undefined {
  if (broadcast) {
    const { json, bytes } = { json: undefined, bytes: undefined, ...broadcast.payload }
    return { message: broadcast, bytes: bytes?.length ?? Buffer.byteLength(json ?? '') }
  }
  if (!isObject(payload)) return undefined
  const wholeJson = JSON.stringify(payload)
  return { message: { wholeJson }, bytes: Buffer.byteLength(wholeJson) }
}

function send(channel: Channel, joined: Joined, incoming: Incoming): void {
  const { home } = channel
  const { ack, self } = joined.request
  const read = readMessage(incoming)
  if (!read) return
  if (read.bytes > home.deps.settings.maxPayloadBytes) {
    if (ack) channel.reply(incoming.ref, 'error', 'payload_size_exceeded')
    return
  }
  const { weight } = joined.group
  if (weight > 0 && !channel.socket.countEvent(weight)) return channel.shutDown(tooManyEvents)
  home.send(joined.group.place, read.message, self ? undefined : channel)
  if (ack) channel.reply(incoming.ref, 'ok')
}

/**
 * Sends what a client broadcasts to all others on its channel. On a private channel the policies decide; who may not write is
 * told nothing, not even with `ack`.
 *
 * @see supabase/realtime lib/realtime_web/channels/realtime_channel/broadcast_handler.ex
 */
export function broadcastOn(channel: Channel, joined: Joined, incoming: Incoming): void | Promise<void> {
  const { permissions } = joined
  if (!permissions) return send(channel, joined, incoming)
  return permissions.mayWrite('broadcast').then((may) => {
    if (may === true && !channel.isClosed) send(channel, joined, incoming)
  })
}
