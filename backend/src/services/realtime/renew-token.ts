import type { Channel, Joined } from './channel.ts'
import { extensionsOf } from './join.ts'
import { isOpaqueKey } from './tokens.ts'
import { isObject } from './wire.ts'

/**
 * Goes on with a new token, or closes the channel. Nothing is answered: the client hears only of what fails.
 *
 * @see supabase/realtime realtime_channel.ex, `handle_in("access_token", …)`
 */
export async function renewToken(channel: Channel, joined: Joined, payload: unknown): Promise<void> {
  const token = isObject(payload) ? payload.access_token : undefined
  if (typeof token !== 'string' || isOpaqueKey(token) || token === joined.token) return
  const judged = await channel.socket.judge(token)
  if (channel.isClosed) return
  if ('refusal' in judged) return channel.shutDown(judged.refusal.message)
  joined.token = token
  joined.reader = judged.reader
  const wantsPresence = joined.request.presenceEnabled || joined.presence !== undefined
  const refusal = await joined.permissions?.renew(judged.reader, extensionsOf(wantsPresence))
  if (channel.isClosed) return
  if (refusal) return channel.shutDown(refusal.message)
  joined.subscription?.updateReader(judged.reader)
}
