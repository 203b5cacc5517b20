import { useCallback } from 'react'
import { useLocation } from 'wouter'
import { createDrafts } from './drafts.ts'
import { useProject, useSessionStore, useUser } from './session.tsx'
import type { SignOutScope } from './session-store.ts'

export interface SignOut {
  /** Work that signing out here would discard: in this tab, and all that a guest has done. */
  hasUnsavedWork: () => boolean
  /** @throws Error when the server could not be told; the session then stands. */
  signOut: (scope: SignOutScope) => Promise<void>
}

/** Leaves on purpose: nothing of the person stays behind in this tab, and the door opens without a way back. */
export function useSignOut(): SignOut {
  const store = useSessionStore()
  const { id: projectId } = useProject()
  const { id: userId, is_anonymous: isGuest } = useUser()
  const [, navigate] = useLocation()
  const hasUnsavedWork = useCallback(() => isGuest === true || !createDrafts(projectId, userId, sessionStorage).isEmpty(), [projectId, userId, isGuest])
  const signOut = useCallback(
    async (scope: SignOutScope) => {
      const error = await store.signOut(scope)
      if (error) throw error
      if (scope === 'others') return
      createDrafts(projectId, userId, sessionStorage).clearAll()
      navigate('/sign-in', { replace: true })
    },
    [store, projectId, userId, navigate],
  )
  return { hasUnsavedWork, signOut }
}
