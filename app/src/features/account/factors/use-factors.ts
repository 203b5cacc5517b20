import { useCallback } from 'react'
import type { User } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { useConnection, useProject, useSessionStore } from '#session/session.tsx'
import type { FactorKind } from './factor-list.ts'

/** Reads the person anew from the server, for every screen: factors came or went. */
export function useRefreshPerson(): () => Promise<User> {
  const connection = useConnection()
  const store = useSessionStore()
  return useCallback(async () => {
    const { user } = await unwrap(connection.client.auth.getUser())
    connection.keepUser(user)
    await store.settle()
    return user
  }, [connection, store])
}

const all: readonly FactorKind[] = ['totp', 'webauthn', 'phone']

/** What can be set up: as the operator lists it, else all, until the server refuses one. */
export function useOfferedKinds(): readonly FactorKind[] {
  const { door } = useProject()
  const listed = door?.secondFactor.kinds
  return listed ? all.filter((kind) => listed.includes(kind)) : all
}
