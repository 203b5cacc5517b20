import { mostAsked, type AskedChange } from './change-feed.ts'

/** What a join asks for. */
export interface JoinRequest {
  ack: boolean
  self: boolean
  replicationReady: boolean
  /** As sent; undefined when not asked for. */
  replay: unknown
  presenceEnabled: boolean
  /** Empty: one is made. */
  presenceKey: string
  isPrivate: boolean
  changes: readonly AskedChange[]
  /** A person's token, or a project key of the newer kind; undefined: the token of the connection. */
  token: string | undefined
  /** Joins without `config` subscribe by their topic, and get changes in the older shape. */
  isOldApi: boolean
}

// One more than is granted, so that it is said; a join has room for tens of thousands, and each would be hashed and answered.
const mostRead = mostAsked + 1

type Fields = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** True, and "true" in any case. What is neither is false: a join is not refused for it. */
const flagOf = (value: unknown): boolean => value === true || (typeof value === 'string' && value.toLowerCase() === 'true')

function keyOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function changesOfTopic(name: string): AskedChange[] {
  const [schema = '', table, ...filter] = name.split(':')
  return [{ schema, ...(table === undefined ? {} : { table }), ...(filter.length === 0 ? {} : { filter: filter.join(':') }) }]
}

/**
 * Reads the payload of `phx_join`. What does not fit is left at its default, as on the hosted server.
 *
 * @param name of the channel, without the `realtime:` prefix.
 * @see supabase/realtime lib/realtime_web/channels/payloads
 */
export function readJoin(payload: unknown, name: string): JoinRequest {
  const fields = fieldsOf(payload)
  const config = fieldsOf(fields.config)
  const broadcast = fieldsOf(config.broadcast)
  const presence = fieldsOf(config.presence)
  const isOldApi = !('config' in fields)
  const asked: unknown[] = Array.isArray(config.postgres_changes) ? config.postgres_changes : []
  return {
    ack: flagOf(broadcast.ack),
    self: flagOf(broadcast.self),
    replicationReady: flagOf(broadcast.replication_ready),
    replay: broadcast.replay ?? undefined,
    presenceEnabled: flagOf(presence.enabled),
    presenceKey: keyOf(presence.key),
    isPrivate: flagOf(config.private),
    changes: isOldApi ? changesOfTopic(name) : asked.slice(0, mostRead).filter(isObject),
    token: textOf(fields.user_token) ?? textOf(fields.access_token),
    isOldApi,
  }
}

/** Reads what replay is asked for; undefined when it makes no sense. */
export function readReplay(replay: unknown): { sinceMs: number; limit: number } | undefined {
  const { since, limit = 25 } = fieldsOf(replay)
  if (!Number.isSafeInteger(since) || !Number.isInteger(limit ?? 25) || (since as number) < 0 || (since as number) > 8.64e15) return undefined
  return { sinceMs: since as number, limit: Math.max(1, Math.min(25, (limit as number | null) ?? 25)) }
}
