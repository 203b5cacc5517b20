import { useState } from 'react'
import { Redirect, useLocation, useSearchParams } from 'wouter'
import { useMessages } from '#messages/messages.tsx'
import { describeAccount, KeptAccounts } from '#session/kept-accounts.ts'
import { readReturn } from '#session/read-return.ts'
import { home, withReturn } from '#session/redirects.ts'
import { isSignedIn } from '#session/session-state.ts'
import { useProject, useSession, useSessionStore } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import { AccountRow } from './account-row.tsx'
import { AccountFailure } from './account-failure.tsx'
import css from './accounts.module.css'
import { useChange } from './use-change.ts'

/** `/accounts`: the accounts that stay signed in on this browser; going to another asks for no password. */
export function AccountsPage() {
  const { accounts: words } = useMessages()
  const session = useSession()
  const project = useProject()
  const store = useSessionStore()
  const [kept] = useState(() => new KeptAccounts(store))
  const [, navigate] = useLocation()
  const to = readReturn(useSearchParams()[0])
  const change = useChange()
  const accounts = kept.list()
  // Whoever chose an account has left this page, though it stands until the next one is loaded.
  const [isLeaving, setLeaving] = useState(false)
  const leave = (place: string, email = '') => {
    setLeaving(true)
    navigate(place, { replace: true, state: { email } })
  }

  const present = isSignedIn(session) ? session.user : undefined
  if (!isLeaving && session.step === 'signed-out' && accounts.length === 0 && !change.failed) return <Redirect to={withReturn('/sign-in', to)} replace />

  const signInAnew = (email = '') =>
    change.run('another', async () => {
      if (present) await kept.setAside()
      leave(withReturn('/sign-in', to), email)
    })

  return (
    <DoorLayout brand={project.name} title={words.title} lead={words.lead}>
      <DocumentTitle>{words.title}</DocumentTitle>
      <DoorStack>
        {change.failed && <AccountFailure failed={change.failed} onSignIn={(email) => void signInAnew(email)} />}
        <ul className={css.list}>
          {present && <AccountRow account={describeAccount(present)} isPresent onChoose={() => leave(to)} />}
          {accounts.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              isPending={change.pending === account.id}
              onChoose={() =>
                void change.run(account.id, async () => {
                  await kept.use(account.id)
                  leave(present ? home : to)
                }, account)
              }
              onEnd={() => void change.run(`end ${account.id}`, () => kept.end(account.id))}
            />
          ))}
        </ul>
        {present && !kept.keepsPresent() && <p className={css.hint}>{words.notKept}</p>}
        <Button size="door" wide pending={change.pending === 'another'} onClick={() => void signInAnew()}>
          {words.another}
        </Button>
      </DoorStack>
    </DoorLayout>
  )
}
