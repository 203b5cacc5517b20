import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readAuthSettings } from '#api/auth-settings.ts'
import type { ProjectClient } from '#api/client.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useConnection, useUser } from '#session/session.tsx'

/** Whose account it is, and where: what every query here starts with. */
export interface AccountSource {
  connection: ProjectClient
  scope: readonly [projectId: string, userId: string, area: 'account']
}

export function useAccountSource(): AccountSource {
  const connection = useConnection()
  const { id } = useUser()
  return useMemo(() => ({ connection, scope: [connection.project.id, id, 'account'] as const }), [connection, id])
}

/** A table whose rows belong to accounts; what becomes of them when one is deleted. */
export interface Reference {
  schema: string
  table: string
  column: string
  onDelete: 'cascade' | 'set_null' | 'set_default' | 'restrict'
}

/** What only the pack's functions know. */
export interface Pack {
  hasPassword: boolean
  references: readonly Reference[]
}

const asRecord = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {})
const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

function parseReference(value: unknown): Reference {
  const { schema, table, column, on_delete: rule } = asRecord(value)
  return { schema: asText(schema), table: asText(table), column: asText(column), onDelete: rule === 'cascade' || rule === 'set_null' || rule === 'set_default' ? rule : 'restrict' }
}

/** Asked once a visit: what is not there at its start is not looked for again. Null in a project without the pack, and for those it refuses. */
export const packQuery = ({ connection, scope }: AccountSource) =>
  queryOptions({
    queryKey: [...scope, 'pack'] as const,
    staleTime: 5 * 60_000,
    gcTime: Infinity,
    queryFn: async (): Promise<Pack | null> => {
      try {
        const answer = asRecord(await unwrap(connection.client.rpc('portico_account')))
        if (answer['pack'] !== 1) return null
        const references = Array.isArray(answer['references']) ? answer['references'].map(parseReference) : []
        return { hasPassword: answer['has_password'] === true, references }
      } catch (cause) {
        const error = toAppError(cause)
        if (error.kind === 'missing' || error.kind === 'forbidden') return null
        throw error
      }
    },
  })

/** The pack as far as it is known: undefined while it is being asked for, null where there is none or no answer came. */
export function usePack(): Pack | null | undefined {
  const { data, isError } = useQuery(packQuery(useAccountSource()))
  return isError ? null : data
}

export const settingsQuery = ({ connection, scope }: AccountSource) =>
  queryOptions({ queryKey: [scope[0], 'auth-settings'] as const, staleTime: 5 * 60_000, queryFn: () => readAuthSettings(connection) })

/** Whether the person could come in by a passkey. */
export const hasPasskeyQuery = ({ connection, scope }: AccountSource) =>
  queryOptions({
    queryKey: [...scope, 'has-passkey'] as const,
    queryFn: async () => {
      const { data, error } = await connection.client.auth.passkey.list()
      return error === null && data.length > 0
    },
  })

/** One place where the person is signed in. */
export interface OwnSession {
  id: string
  isCurrent: boolean
  createdAt: string
  refreshedAt: string
  level: string
  ip: string
  userAgent: string
  /** The application that acts for the person in it; null for the person themselves. */
  app: string | null
}

export const sessionsQuery = ({ connection, scope }: AccountSource) =>
  queryOptions({
    queryKey: [...scope, 'sessions'] as const,
    queryFn: async (): Promise<OwnSession[]> => {
      const rows: unknown = await unwrap(connection.client.rpc('portico_sessions'))
      return (Array.isArray(rows) ? rows : []).map(asRecord).map((row) => ({
        id: asText(row['id']),
        isCurrent: row['is_current'] === true,
        createdAt: asText(row['created_at']),
        refreshedAt: asText(row['refreshed_at']),
        level: asText(row['aal']),
        ip: asText(row['ip']),
        userAgent: asText(row['user_agent']),
        app: typeof row['app'] === 'string' ? row['app'] : null,
      }))
    },
  })

/** One thing that happened to the account. */
export interface Happening {
  at: string
  action: string
  provider: string
  ip: string
}

/** The most the pack gives at once. */
export const activityLimit = 200

export const activityQuery = ({ connection, scope }: AccountSource) =>
  queryOptions({
    queryKey: [...scope, 'activity'] as const,
    queryFn: async (): Promise<Happening[]> => {
      const rows: unknown = await unwrap(connection.client.rpc('portico_activity', { max_rows: activityLimit }))
      return (Array.isArray(rows) ? rows : []).map(asRecord).map(({ at, action, provider, ip }) => ({ at: asText(at), action: asText(action), provider: asText(provider), ip: asText(ip) }))
    },
  })

/** An application the person has let in. */
export interface Grant {
  clientId: string
  name: string
  uri: string
  logo: string
  scopes: readonly string[]
  grantedAt: string
}

/** Null where the project lets no applications in: its OAuth server is switched off, or the server is older than that. */
export const grantsQuery = ({ connection, scope }: AccountSource) =>
  queryOptions({
    queryKey: [...scope, 'grants'] as const,
    queryFn: async (): Promise<Grant[] | null> => {
      const { data, error } = await connection.client.auth.oauth.listGrants()
      if (!error) return data.map(({ client, scopes, granted_at }) => ({ clientId: client.id, name: client.name, uri: client.uri, logo: client.logo_uri, scopes, grantedAt: granted_at }))
      const failure = toAppError(error)
      if (failure.kind === 'missing' || failure.code === 'feature_disabled') return null
      throw failure
    },
  })
