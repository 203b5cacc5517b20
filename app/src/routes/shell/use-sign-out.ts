import { useMessages } from '#messages/messages.tsx'
import { useSessionStore } from '#session/session.tsx'
import { useToast } from '#ui/toaster.tsx'

/** Signs out in this browser, and says so when the project could not be told. */
export function useSignOut(): () => Promise<void> {
  const { shell } = useMessages()
  const session = useSessionStore()
  const toast = useToast()
  return async () => {
    const failure = await session.signOut('local')
    if (failure) toast({ text: shell.signOutFailed, tone: 'danger' })
  }
}
