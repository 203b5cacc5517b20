import { AppError } from '#api/app-error.ts'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { nameOf } from './account-row.tsx'
import type { FailedChange } from './use-change.ts'

/** Why the change did not come about; whose session is over signs in once more. */
export function AccountFailure({ failed: { error, account }, onSignIn }: { failed: FailedChange; onSignIn: (email: string) => void }) {
  const { accounts: words, errors } = useMessages()
  if (account && error instanceof AppError && error.code === 'portico_account_ended') {
    return (
      <Banner tone="warning" role="alert" title={words.endedTitle(nameOf(account, words.guest))} action={<Button onClick={() => onSignIn(account.address)}>{words.signInAgain}</Button>}>
        {words.endedHint}
      </Banner>
    )
  }
  const { title, whatToDo } = explain(error, errors)
  return (
    <Banner tone="danger" title={title}>
      {whatToDo}
    </Banner>
  )
}
