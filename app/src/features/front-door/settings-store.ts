import { useCallback, useState, useSyncExternalStore } from 'react'
import type { AppError } from '#api/app-error.ts'
import { parseKeptSettings, readAuthSettings, type AuthSettings } from '#api/auth-settings.ts'
import type { ProjectClient } from '#api/client.ts'
import { toAppError } from '#api/unwrap.ts'
import { useConnection } from '#session/session.tsx'

/** What is known of what the project lets people do at its door. */
export interface DoorSettings {
  /** As the project told it now, or when this browser was last here. */
  data: AuthSettings | undefined
  /** The last asking failed. */
  error: AppError | null
  isAsking: boolean
}

interface SettingsStore {
  current: () => DoorSettings
  subscribe: (listener: () => void) => () => void
  ask: () => Promise<void>
}

const freshMs = 5 * 60_000
const pausesMs = [1000, 2000]
const stores = new WeakMap<ProjectClient, SettingsStore>()
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Only what may pass by itself is asked again: no answer, or a busy server. */
async function readPatiently(connection: ProjectClient): Promise<AuthSettings> {
  for (const ms of pausesMs) {
    try {
      return await readAuthSettings(connection)
    } catch (failure) {
      const { kind } = toAppError(failure)
      if (kind !== 'offline' && kind !== 'busy') throw failure
      await pause(ms)
    }
  }
  return readAuthSettings(connection)
}

function createStore(connection: ProjectClient): SettingsStore {
  const key = `portico.door.${connection.project.id}`
  const listeners = new Set<() => void>()
  let state: DoorSettings = { data: parseKeptSettings(localStorage.getItem(key)), error: null, isAsking: false }
  let askedAt = Number.NEGATIVE_INFINITY
  const become = (next: Partial<DoorSettings>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  return {
    current: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async ask() {
      if (state.isAsking || Date.now() - askedAt < freshMs) return
      become({ isAsking: true })
      try {
        const data = await readPatiently(connection)
        askedAt = Date.now()
        // Kept for the next visit: its first draw is then its last.
        localStorage.setItem(key, JSON.stringify(data))
        become({ data, error: null, isAsking: false })
      } catch (failure) {
        become({ error: toAppError(failure), isAsking: false })
      }
    },
  }
}

function storeOf(connection: ProjectClient): SettingsStore {
  const store = stores.get(connection) ?? createStore(connection)
  stores.set(connection, store)
  return store
}

/** What the project allows, and the way to ask again. The first to look asks. */
export function useDoorSettings(): DoorSettings & { ask: () => void } {
  const store = storeOf(useConnection())
  // The asking tells its listeners only once the first draw is over.
  useState(() => void Promise.resolve().then(() => store.ask()))
  const ask = useCallback(() => void store.ask(), [store])
  return { ...useSyncExternalStore(store.subscribe, store.current), ask }
}
