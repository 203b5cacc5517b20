import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '#api/explain.ts'
import { unwrap } from '#api/unwrap.ts'
import css from '#features/account/account.module.css'
import { Section } from '#features/account/account-frame.tsx'
import { grantsQuery, useAccountSource, type Grant } from '#features/account/queries.ts'
import { Remote } from '#features/account/remote.tsx'
import { useSave } from '#features/account/use-save.ts'
import { useMessages } from '#messages/messages.tsx'
import { shownName, shownPicture } from '#session/app-name.ts'
import { useClient } from '#session/session.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { DateTime } from '#ui/date-time.tsx'

/** The applications that may act for the person; absent where the project lets none in. */
export function AppsSection() {
  const { access: words } = useMessages()
  const query = useQuery(grantsQuery(useAccountSource()))
  if (query.data === null) return null
  return (
    <Section heading={words.apps.heading} lead={words.apps.lead}>
      <Remote query={query} loading={words.apps.loading} failed={words.apps.failed}>
        {(grants) => <Grants grants={grants ?? []} />}
      </Remote>
    </Section>
  )
}

function Grants({ grants }: { grants: readonly Grant[] }) {
  const { apps: words } = useMessages().access
  const [asked, setAsked] = useState<Grant>()
  const [revoked, setRevoked] = useState('')
  return (
    <>
      {grants.length === 0 && revoked === '' && <p className={css.note}>{words.none}</p>}
      {grants.length > 0 && (
        <ul className={css.rows}>
          {grants.map((grant) => (
            <GrantRow key={grant.clientId} grant={grant} onRevoke={() => (setRevoked(''), setAsked(grant))} />
          ))}
        </ul>
      )}
      {revoked && <Banner tone="success">{words.revoked(revoked)}</Banner>}
      {asked && <RevokeGrant grant={asked} onClose={() => setAsked(undefined)} onRevoked={(name) => (setAsked(undefined), setRevoked(name))} />}
    </>
  )
}

// An application says of itself who it is: its address is shown as text, and its name as the consent page showed it.
const hostOf = (uri: string) => (URL.canParse(uri) ? new URL(uri).host : '')

function GrantRow({ grant, onRevoke }: { grant: Grant; onRevoke: () => void }) {
  const { access: { apps: words }, errors } = useMessages()
  const name = shownName(grant.name) || words.unnamed
  const told = grant.scopes.flatMap((scope) => (Object.hasOwn(words.scopes, scope) ? (words.scopes[scope] ?? []) : []))
  const host = hostOf(grant.uri)
  return (
    <li className={css.row}>
      <Avatar name={name} src={shownPicture(grant.logo)} size={32} shape="square" />
      <div className={css.rowText}>
        <p className={css.rowTitle}>
          <bdi>{name}</bdi>
        </p>
        <p className={css.rowDetail}>
          {host !== '' && <span>{host}</span>}
          <span>{told.length > 0 ? errors.sentences(words.may(told), words.mayNothing) : words.mayNothing}</span>
          <span>
            {words.granted} <DateTime value={grant.grantedAt} show="date" />
          </span>
        </p>
      </div>
      <Button aria-label={words.revokeNamed(name)} onClick={onRevoke}>
        {words.revoke}
      </Button>
    </li>
  )
}

function RevokeGrant({ grant, onClose, onRevoked }: { grant: Grant; onClose: () => void; onRevoked: (name: string) => void }) {
  const { access, errors } = useMessages()
  const words = access.apps
  const { auth } = useClient()
  const queries = useQueryClient()
  const source = useAccountSource()
  const name = shownName(grant.name) || words.unnamed
  const revoke = useSave(async () => {
    await unwrap(auth.oauth.revokeGrant({ clientId: grant.clientId }))
    queries.setQueryData(grantsQuery(source).queryKey, (before) => before?.filter(({ clientId }) => clientId !== grant.clientId))
    void queries.invalidateQueries({ queryKey: [...source.scope, 'sessions'] })
    onRevoked(name)
  })
  const failed = revoke.state.step === 'failed' ? explain(revoke.state.error, errors) : null
  return (
    <ConfirmDialog
      open
      title={words.revokeTitle(name)}
      confirmLabel={words.revoke}
      error={failed && errors.sentences(words.revokeFailed(name), failed.title, failed.whatToDo)}
      onConfirm={() => revoke.run()}
      onClose={onClose}
    >
      {words.revokeBody}
    </ConfirmDialog>
  )
}
