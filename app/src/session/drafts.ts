import { useCallback, useMemo, useState } from 'react'
import { useProject, useUser } from './session.tsx'

/** Work in progress that outlives a refused save, a lost session and a reload; it is shown to the person it belongs to only. */
export interface Drafts {
  read(key: string): unknown
  save(key: string, value: unknown): void
  clear(key: string): void
  isEmpty(): boolean
  /** Forgets everything of this person: for signing out on purpose. */
  clearAll(): void
}

/** Kept in this tab, per project and person. */
export function createDrafts(projectId: string, userId: string, storage: Storage): Drafts {
  const prefix = `portico.draft.${projectId}.${userId}.`
  const mine = () => Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) => key.startsWith(prefix))
  return {
    read(key) {
      try {
        return JSON.parse(storage.getItem(prefix + key) ?? 'null') as unknown
      } catch {
        return null
      }
    },
    save(key, value) {
      try {
        storage.setItem(prefix + key, JSON.stringify(value))
      } catch {
        // Full: the form itself still holds the work.
      }
    },
    clear: (key) => storage.removeItem(prefix + key),
    isEmpty: () => mine().length === 0,
    clearAll() {
      for (const key of mine()) storage.removeItem(key)
    },
  }
}

export interface Draft<T> {
  /** What was saved before, null when there is nothing. Checked by `isValid`, since an older version may have written it. */
  draft: T | null
  save: (value: T) => void
  clear: () => void
}

/**
 * Keeps one form's unsaved work: `useDraft('ticket:4821', isTicketDraft)`.
 * `draft` is what was there when the form opened; saving does not draw the form again.
 */
export function useDraft<T>(key: string, isValid: (value: unknown) => value is T): Draft<T> {
  const { id: projectId } = useProject()
  const { id: userId } = useUser()
  const drafts = useMemo(() => createDrafts(projectId, userId, sessionStorage), [projectId, userId])
  const [draft] = useState(() => {
    const found = drafts.read(key)
    return isValid(found) ? found : null
  })
  const save = useCallback((value: T) => drafts.save(key, value), [drafts, key])
  const clear = useCallback(() => drafts.clear(key), [drafts, key])
  return { draft, save, clear }
}
