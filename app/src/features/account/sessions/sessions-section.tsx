import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '#api/explain.ts'
import { unwrap } from '#api/unwrap.ts'
import css from '#features/account/account.module.css'
import { Section } from '#features/account/account-frame.tsx'
import { sessionsQuery, useAccountSource, type OwnSession } from '#features/account/queries.ts'
import { Remote } from '#features/account/remote.tsx'
import { useSave } from '#features/account/use-save.ts'
import { useMessages } from '#messages/messages.tsx'
import { useClient } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { EndOtherSessions } from './end-other-sessions.tsx'
import { SessionRow, useDeviceName } from './session-row.tsx'

/** As many as one looks through without searching. */
const firstShown = 6
const mostGiven = 200

/** Every place one is signed in, each with a way out of it. */
export function SessionsSection() {
  const { access: words } = useMessages()
  const source = useAccountSource()
  const query = useQuery(sessionsQuery(source))
  return (
    <Section heading={words.sessions.heading} lead={words.sessions.lead}>
      <Remote query={query} loading={words.sessions.loading} failed={words.sessions.failed}>
        {(sessions) => <SessionList sessions={sessions} />}
      </Remote>
    </Section>
  )
}

function SessionList({ sessions }: { sessions: readonly OwnSession[] }) {
  const { access: words } = useMessages()
  const [isWhole, setWhole] = useState(false)
  const [asked, setAsked] = useState<OwnSession>()
  const [ended, setEnded] = useState('')
  const shown = isWhole ? sessions : sessions.slice(0, firstShown)
  const others = sessions.filter(({ isCurrent }) => !isCurrent).length
  return (
    <>
      <ul className={css.rows}>
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => (setEnded(''), setAsked(session))} />
        ))}
      </ul>
      {isWhole && sessions.length >= mostGiven && <p className={css.note}>{words.sessions.bounded}</p>}
      {ended && <Banner tone="success">{words.sessions.ended(ended)}</Banner>}
      <div className={css.actions}>
        {sessions.length > firstShown && <Button onClick={() => setWhole(!isWhole)}>{isWhole ? words.sessions.showFewer : words.sessions.showAll(sessions.length)}</Button>}
        {others > 0 && <EndOtherSessions label={words.sessions.others(others)} />}
      </div>
      {asked && <EndSession session={asked} onClose={() => setAsked(undefined)} onEnded={(device) => (setAsked(undefined), setEnded(device))} />}
    </>
  )
}

function EndSession({ session, onClose, onEnded }: { session: OwnSession; onClose: () => void; onEnded: (device: string) => void }) {
  const { access: words, errors } = useMessages()
  const client = useClient()
  const queries = useQueryClient()
  const source = useAccountSource()
  const stepUp = useStepUp()
  const device = useDeviceName()(session)
  const { queryKey } = sessionsQuery(source)
  const end = useSave(async () => {
    if (!(await stepUp('sessions'))) return
    await unwrap(client.rpc('portico_revoke_session', { session_id: session.id }))
    queries.setQueryData(queryKey, (before) => before?.filter(({ id }) => id !== session.id))
    onEnded(device)
  })
  const failed = end.state.step === 'failed' ? explain(end.state.error, errors) : null
  return (
    <ConfirmDialog
      open
      title={words.sessions.endTitle(device)}
      confirmLabel={words.sessions.end}
      error={failed && errors.sentences(words.sessions.endFailed, failed.title, failed.whatToDo)}
      onConfirm={() => end.run()}
      onClose={onClose}
    >
      {words.sessions.endBody}
    </ConfirmDialog>
  )
}
