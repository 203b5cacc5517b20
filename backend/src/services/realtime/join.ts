import type { Channel, Joined } from './channel.ts'
import type { AskedChange, StoredMessage } from './change-feed.ts'
import { databaseUnavailable, mayNotRead, noReplicationInTime, replayFailed, replayOfPublic, replayParamsInvalid, tooManyPresenceEvents, type Refusal } from './errors.ts'
import { encodeBroadcast } from './frames/encode.ts'
import type { Ref } from './frames/message.ts'
import { Permissions } from './permissions.ts'
import type { Extension } from './policies.queries.ts'
import { makePresenceKey } from './presence.ts'
import { Window } from './rate.ts'
import { hashOf } from './change-ids.ts'
import type { Reader } from './tokens.ts'
import { isOpaqueKey } from './tokens.ts'
import { readJoin, readReplay, type JoinRequest } from './wire.ts'

const readyCheckMs = 500

/** What the policies are asked about at a join: presence only where it is wanted. */
export const extensionsOf = (presenceEnabled: boolean): readonly Extension[] => (presenceEnabled ? ['broadcast', 'presence'] : ['broadcast'])

function checkReplay(request: JoinRequest, permissions: Permissions | undefined, topic: string): Refusal | undefined {
  if (request.replay === undefined) return undefined
  if (!permissions) return replayOfPublic
  if (!permissions.mayHear('broadcast')) return mayNotRead(topic)
  return readReplay(request.replay) ? undefined : replayParamsInvalid
}

async function askPermissions(channel: Channel, request: JoinRequest, reader: Reader): Promise<{ permissions: Permissions | undefined } | { refusal: Refusal }> {
  if (!request.isPrivate) return { permissions: undefined }
  const { socket, home, name } = channel
  const permissions = new Permissions(reader, { database: home.deps.database, log: socket.log, topic: name, facts: socket.facts })
  const refusal = await permissions.askRead(extensionsOf(request.presenceEnabled))
  return refusal ? { refusal } : { permissions }
}

/** Decides on a join: token, database, policies, replay, in this order. @see supabase/realtime realtime_channel.ex, `join` */
export async function admit(channel: Channel, payload: unknown): Promise<{ joined: Joined } | { refusal: Refusal }> {
  const { socket, home, name } = channel
  const request = readJoin(payload, name)
  const token = request.token === undefined || isOpaqueKey(request.token) ? undefined : request.token
  const judged = await socket.judge(token)
  if ('refusal' in judged) return judged
  const isListening = await home.start().then(() => true, (error: unknown) => {
    socket.log.error('listening to the database failed', { error })
    return false
  })
  if (!isListening) return { refusal: databaseUnavailable }
  const asked = await askPermissions(channel, request, judged.reader)
  if ('refusal' in asked) return asked
  const refusal = checkReplay(request, asked.permissions, name)
  if (refusal) return { refusal }
  if (channel.isClosed) return { refusal: databaseUnavailable }
  const joined: Joined = {
    request,
    reader: judged.reader,
    token,
    group: home.groups.get({ name, isPrivate: request.isPrivate }),
    permissions: asked.permissions,
    presenceKey: request.presenceKey || makePresenceKey(),
    presenceLimit: new Window(home.deps.settings.clientPresence, home.deps.clock),
    presence: undefined,
    presenceWords: undefined,
    subscription: undefined,
  }
  return { joined }
}

interface Identified {
  id: number
  change: AskedChange
}

function subscribe(channel: Channel, joined: Joined, asked: readonly Identified[]): void {
  if (asked.length === 0) return
  const { home, version, topic } = channel
  const { isOldApi } = joined.request
  joined.subscription = home.deps.changes.subscribe({
    owner: channel.socket,
    reader: joined.reader,
    asked,
    onChange: (change, ids) => channel.write(home.encodeChange(change, { version, topic, ids, isOldApi })),
    onStatus: ({ status, message }) => channel.tellSystem('postgres_changes', status, message),
  })
}

function pushStored(channel: Channel, { id, event, payload }: StoredMessage): void {
  const meta = { replayed: true, id }
  if ('json' in payload) {
    return channel.push('broadcast', `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payload.json},"meta":${JSON.stringify(meta)}}`)
  }
  const frame = encodeBroadcast(channel.version, channel.topic, { event, payload, meta })
  if (frame) channel.write(frame)
}

async function readOlder(channel: Channel, request: JoinRequest): Promise<readonly StoredMessage[] | undefined> {
  const wanted = readReplay(request.replay)
  if (!wanted) return []
  channel.holdLive()
  try {
    return await channel.home.deps.changes.replay({ topic: channel.name, ...wanted })
  } catch (error) {
    channel.socket.log.warn('stored messages could not be read', { error })
    return undefined
  }
}

function tellWhenReady(channel: Channel, until: number): void {
  const { changes, clock } = channel.home.deps
  if (changes.isListening()) return channel.tellSystem('system', 'ok', 'Replication connection established')
  if (clock.now() >= until) return channel.shutDown(noReplicationInTime)
  channel.later(readyCheckMs, () => tellWhenReady(channel, until))
}

function tellPresence(channel: Channel, { request, group }: Joined): void {
  if (!request.presenceEnabled || !channel.hearsPresence) return
  if (!channel.home.presenceEvents.take()) return channel.shutDown(tooManyPresenceEvents)
  channel.pushShared('presence_state', group.presenceState())
}

/** Takes an admitted channel in and answers the join; then older messages, who is there, and what the database has to tell. */
export async function settle(channel: Channel, joined: Joined, ref: Ref): Promise<void> {
  const { request, group } = joined
  group.members.add(channel)
  const older = await readOlder(channel, request)
  if (channel.isClosed) return
  if (!older) {
    group.leave(channel)
    return channel.refuse(ref, replayFailed)
  }
  const asked = request.changes.map((change) => ({ id: hashOf(change), change }))
  channel.reply(ref, 'ok', { postgres_changes: asked.map(({ id, change }) => ({ ...change, id })) })
  const fresh = older.filter(({ id }) => !channel.cameLive(id))
  const held = channel.releaseLive(fresh.map(({ id }) => id))
  for (const message of fresh) pushStored(channel, message)
  for (const frame of held) channel.write(frame)
  tellPresence(channel, joined)
  if (channel.isClosed) return
  subscribe(channel, joined, asked)
  if (request.replicationReady) tellWhenReady(channel, channel.home.deps.clock.now() + channel.home.deps.settings.replicationReadyMs)
}
