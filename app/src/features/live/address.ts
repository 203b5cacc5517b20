import type { ChangesWish } from '#api/channels.ts'

/** A channel a person has joined on the channel screen. */
export interface RoomSettings {
  /** Without the protocol's `realtime:`. */
  topic: string
  isPrivate: boolean
  changes: ChangesWish | undefined
}

/** What the address holds: the channels joined, and the one in sight. */
export interface LiveAddress {
  rooms: RoomSettings[]
  shown: string | undefined
}

const events = ['*', 'INSERT', 'UPDATE', 'DELETE'] as const
const isEvent = (text: string | undefined): text is ChangesWish['event'] => events.some((event) => event === text)

/** Reads `?channel=room-1&channel=office~private~public~tickets~UPDATE&show=office`. Parts it cannot read are left out. */
export function readLiveAddress(parameters: URLSearchParams): LiveAddress {
  const rooms = parameters.getAll('channel').flatMap(readRoom)
  return { rooms: rooms.filter(({ topic }, index) => rooms.findIndex((room) => room.topic === topic) === index), shown: parameters.get('show') ?? undefined }
}

/** Writes it back as a query string, with its `?`; empty where there is nothing to say. */
export function writeLiveAddress({ rooms, shown }: LiveAddress): string {
  const parameters = new URLSearchParams(rooms.map((room) => ['channel', writeRoom(room)]))
  if (shown !== undefined && rooms.length > 1) parameters.set('show', shown)
  const text = parameters.toString().replaceAll('%7E', '~').replaceAll('%3A', ':').replaceAll('%2F', '/')
  return text === '' ? '' : `?${text}`
}

function readRoom(text: string): RoomSettings[] {
  const [topic = '', access, schema = '', table = '', event, filter = ''] = text.split('~').map(plain)
  if (!isTopic(topic)) return []
  const changes: ChangesWish | undefined = schema !== '' && isEvent(event) ? { event, schema, ...(table === '' ? {} : { table }), ...(filter === '' ? {} : { filter }) } : undefined
  return [{ topic, isPrivate: access === 'private', changes }]
}

function writeRoom({ topic, isPrivate, changes }: RoomSettings): string {
  const told = changes ? [changes.schema, changes.table ?? '', changes.event, changes.filter ?? ''] : []
  const parts = [topic, ...(isPrivate || told.length > 0 ? [isPrivate ? 'private' : 'public'] : []), ...told]
  return parts.map(escaped).join('~')
}

// The separator, and the sign that escapes it.
const escaped = (text: string): string => text.replaceAll('!', '!0').replaceAll('~', '!1')
const plain = (text: string): string => text.replaceAll('!1', '~').replaceAll('!0', '!')

const longestTopic = 100
/** Names of the app's own channels start with it. */
export const reservedPrefix = 'portico:'

/** What is wrong with a name; undefined when a channel may have it. */
export function topicFault(topic: string): 'missing' | 'too-long' | 'reserved' | undefined {
  if (topic === '') return 'missing'
  if (topic.startsWith(reservedPrefix)) return 'reserved'
  return topic.length > longestTopic ? 'too-long' : undefined
}

const isTopic = (topic: string): boolean => topicFault(topic) === undefined

/** Whether a text reads like the server's filters: `status=eq.open,id=in.(1,2)`. The server judges column and value. */
export const isFilter = (text: string): boolean =>
  /^[^=,]+=(not\.)?(eq|neq|lt|lte|gt|gte|in|like|ilike|is|match|imatch|isdistinct)\..+$/s.test(text)
