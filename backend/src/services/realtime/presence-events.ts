import type { Channel, Joined } from './channel.ts'
import { presenceTooLarge, tooManyOwnPresenceEvents, tooManyPresenceEvents } from './errors.ts'
import type { Incoming } from './frames/message.ts'
import { makePresence } from './presence.ts'
import { isObject } from './wire.ts'

const noMap = { reason: 'Presence track payload must be a map' }

function track(channel: Channel, joined: Joined, { ref, payload }: Incoming): void {
  const words: unknown = isObject(payload) && 'payload' in payload ? payload.payload : {}
  if (!isObject(words)) return channel.reply(ref, 'error', noMap)
  const { home } = channel
  const text = JSON.stringify(words)
  if (text === joined.presenceWords) return channel.reply(ref, 'ok')
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(joined.presenceKey)
  if (bytes > home.deps.settings.maxPayloadBytes || !home.hasRoomFor(bytes)) return channel.shutDown(presenceTooLarge)
  if (!home.presenceEvents.take()) return channel.shutDown(tooManyPresenceEvents)
  const joins = makePresence(joined.presenceKey, words, joined.presence)
  home.changePresence(joined.group.place, { joins, leaves: joined.presence })
  joined.presence = joins
  joined.presenceWords = text
  channel.reply(ref, 'ok')
}

function untrack(channel: Channel, joined: Joined, { ref }: Incoming): void {
  if (joined.presence) channel.home.changePresence(joined.group.place, { leaves: joined.presence })
  joined.presence = undefined
  joined.presenceWords = undefined
  channel.reply(ref, 'ok')
}

async function trackInPrivate(channel: Channel, joined: Joined, incoming: Incoming): Promise<void> {
  const { permissions } = joined
  if (!permissions) return
  // A join without presence has not asked whether it may be heard; whoever is seen also wants to see.
  if (!permissions.hasAskedRead('presence')) await permissions.askRead(['presence'])
  const may = await permissions.mayWrite('presence')
  if (channel.isClosed) return
  if (may === true) track(channel, joined, incoming)
  else channel.reply(incoming.ref, 'error')
}

/**
 * Takes what a client says of itself.
 *
 * @see supabase/realtime lib/realtime_web/channels/realtime_channel/presence_handler.ex
 */
export function presenceOn(channel: Channel, joined: Joined, incoming: Incoming): void | Promise<void> {
  const event: unknown = isObject(incoming.payload) ? incoming.payload.event : undefined
  if (typeof event !== 'string') return channel.reply(incoming.ref, 'ok')
  if (!joined.presenceLimit.take()) return channel.shutDown(tooManyOwnPresenceEvents)
  switch (event.toLowerCase()) {
    case 'track': return joined.permissions ? trackInPrivate(channel, joined, incoming) : track(channel, joined, incoming)
    case 'untrack': return untrack(channel, joined, incoming)
    default: return channel.reply(incoming.ref, 'error')
  }
}
