import { useState } from 'react'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { useSignOut } from '#session/use-sign-out.ts'
import { useToast } from '#ui/toaster.tsx'

export interface Leaving {
  /** Signs out here; asks first when unsaved work would be lost. */
  leave: () => void
  isAsking: boolean
  confirm: () => Promise<void>
  cancel: () => void
}

/** Signing out from anywhere in the shell. A failure is told, since the person is still signed in then. */
export function useLeaving(): Leaving {
  const { errors } = useMessages()
  const { signOut, hasUnsavedWork } = useSignOut()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const confirm = async () => {
    try {
      await signOut('local')
    } catch (error) {
      setAsking(false)
      const { title, whatToDo } = explain(error, errors)
      toast({ text: errors.sentences(title, whatToDo), tone: 'danger' })
    }
  }
  return { leave: () => (hasUnsavedWork() ? setAsking(true) : void confirm()), isAsking, confirm, cancel: () => setAsking(false) }
}
