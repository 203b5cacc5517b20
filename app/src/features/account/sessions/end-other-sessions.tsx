import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '#api/explain.ts'
import { sessionsQuery, useAccountSource } from '#features/account/queries.ts'
import { useSave } from '#features/account/use-save.ts'
import { useMessages } from '#messages/messages.tsx'
import { useSignOut } from '#session/use-sign-out.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { useToast } from '#ui/toaster.tsx'

/** Ends every session but this one. */
export function EndOtherSessions({ label }: { label: string }) {
  const { account: words, errors } = useMessages()
  const { signOut } = useSignOut()
  const queries = useQueryClient()
  const toast = useToast()
  const { queryKey } = sessionsQuery(useAccountSource())
  const [isAsking, setAsking] = useState(false)
  const end = useSave(async () => {
    await signOut('others')
    setAsking(false)
    queries.setQueryData(queryKey, (before) => before?.filter(({ isCurrent }) => isCurrent))
    toast({ text: words.signOut.othersDone, tone: 'success' })
  })
  const failed = end.state.step === 'failed' ? explain(end.state.error, errors) : null
  return (
    <>
      <Button onClick={() => (end.reset(), setAsking(true))}>{label}</Button>
      <ConfirmDialog
        open={isAsking}
        title={words.signOut.othersTitle}
        confirmLabel={words.signOut.others}
        error={failed && errors.sentences(failed.title, failed.whatToDo)}
        onConfirm={() => end.run()}
        onClose={() => setAsking(false)}
      >
        {words.signOut.othersBody}
      </ConfirmDialog>
    </>
  )
}
