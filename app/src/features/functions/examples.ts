import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useLocale } from '#messages/messages.tsx'
import { useProject, useUser } from '#session/session.tsx'
import { isRequest, type CallRequest } from './request.ts'

/** A request kept under a name, in this browser, for one person and project. */
export interface Example {
  id: string
  functionName: string
  name: string
  request: CallRequest
}

export interface Examples {
  /** Of one function, in the order of their names. */
  list: readonly Example[]
  /** False when the browser has no room for it. The same name replaces. */
  save: (name: string, request: CallRequest) => boolean
  rename: (id: string, name: string) => boolean
  remove: (id: string) => void
}

const listeners = new Set<() => void>()

const isExample = (value: unknown): value is Example => {
  const { id, functionName, name, request } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && typeof functionName === 'string' && typeof name === 'string' && isRequest(request)
}

export function parseExamples(text: string | null): Example[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isExample) : []
  } catch {
    return []
  }
}

/** The examples of a function; what another tab changes shows here as well. */
export function useExamples(functionName: string): Examples {
  const { id: projectId } = useProject()
  const { id: userId } = useUser()
  const { locale } = useLocale()
  const key = `portico.examples.${projectId}.${userId}`
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  const all = useMemo(() => parseExamples(text), [text])
  const list = useMemo(() => all.filter((example) => example.functionName === functionName).sort((one, other) => one.name.localeCompare(other.name, locale)), [all, functionName, locale])
  const keep = useCallback((next: readonly Example[]): boolean => {
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      return false
    }
    for (const listener of listeners) listener()
    return true
  }, [key])

  const save = (name: string, request: CallRequest) => {
    const rest = all.filter((example) => example.functionName !== functionName || example.name !== name)
    return keep([...rest, { id: newId(), functionName, name, request }])
  }
  const rename = (id: string, name: string) => keep(all.filter((example) => example.id === id || example.functionName !== functionName || example.name !== name).map((example) => (example.id === id ? { ...example, name } : example)))
  return { list, save, rename, remove: (id) => void keep(all.filter((example) => example.id !== id)) }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** Pages served without https have no `randomUUID`. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('')
