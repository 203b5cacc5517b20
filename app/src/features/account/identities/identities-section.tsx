import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppError } from '#api/app-error.ts'
import type { AuthSettings } from '#api/auth-settings.ts'
import type { Client, User } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { Section } from '#features/account/account-frame.tsx'
import css from '#features/account/account.module.css'
import { settingsQuery, useAccountSource } from '#features/account/queries.ts'
import { Remote } from '#features/account/remote.tsx'
import { SaveOutcome } from '#features/account/save-outcome.tsx'
import { useSave } from '#features/account/use-save.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { offeredProviders, providerName } from '#session/provider-names.ts'
import { useClient, useProject, useUser } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { IdentityRow } from './identity-row.tsx'
import { UnlinkDialog } from './unlink-dialog.tsx'

export type Identity = NonNullable<User['identities']>[number]
type Provider = Parameters<Client['auth']['signInWithOAuth']>[0]['provider']

/** A provider one could sign in with, by the name people know. */
interface Offer {
  id: string
  name: string
}

/** The accounts elsewhere that open this one; absent where there are none to have. */
export function IdentitiesSection() {
  const { access: words } = useMessages()
  const query = useQuery(settingsQuery(useAccountSource()))
  const user = useUser()
  const offers = useOffers(query.data)
  const identities = user.identities ?? []
  if (query.data && offers.length === 0 && identities.every(({ provider }) => provider === 'email' || provider === 'phone')) return null
  return (
    <Section heading={words.identities.heading} lead={words.identities.lead}>
      <Remote query={query} loading={words.identities.loading} failed={words.identities.heading}>
        {(settings) => <Identities settings={settings} offers={offers} />}
      </Remote>
    </Section>
  )
}

// What the project names, and what its operator adds.
function useOffers(settings: AuthSettings | undefined): Offer[] {
  const { door } = useProject()
  const added = door?.providers ?? []
  const named = offeredProviders([...(settings?.providers ?? []), ...added.map(({ id }) => id)])
  return [...new Set(named)].map((id) => ({ id, name: added.find((entry) => entry.id === id)?.name ?? providerName(id) }))
}

/** Whether the project has said that people do not connect accounts by themselves; remembered for the visit. */
function useOff(): [isOff: boolean, setOff: () => void] {
  const queries = useQueryClient()
  const { scope } = useAccountSource()
  const key = [...scope, 'manual-linking-off']
  const [isOff, setOff] = useState(queries.getQueryData(key) === true)
  return [isOff, () => (queries.setQueryData(key, true), setOff(true))]
}

function Identities({ settings, offers }: { settings: AuthSettings; offers: readonly Offer[] }) {
  const words = useMessages().access.identities
  const user = useUser()
  const [asked, setAsked] = useState<Identity>()
  const [gone, setGone] = useState('')
  const [isOff, setOff] = useOff()
  const identities = user.identities ?? []
  const nameOf = (provider: string) => offers.find(({ id }) => id === provider)?.name ?? (provider === 'email' ? words.email : provider === 'phone' ? words.phone : providerName(provider))
  const free = offers.filter(({ id }) => !identities.some(({ provider }) => provider === id))
  const link = useLink()
  const linkTo = async (offer: Offer) => {
    setGone('')
    if ((await link.start(offer.id))?.code === 'manual_linking_disabled') setOff()
  }
  return (
    <>
      {identities.length > 0 && (
        <ul className={css.rows}>
          {identities.map((identity) => (
            <IdentityRow key={identity.identity_id} identity={identity} name={nameOf(identity.provider)} onUnlink={identities.length > 1 && !isOff ? () => (setGone(''), setAsked(identity)) : undefined} />
          ))}
        </ul>
      )}
      {identities.length === 1 && identities.some(({ provider }) => provider !== 'email' && provider !== 'phone') && <p className={css.note}>{words.onlyOne}</p>}
      {gone && <Banner tone="success">{words.done(gone)}</Banner>}
      {!isOff && <SaveOutcome state={link.state} />}
      {isOff ? (
        <p className={css.note}>{words.off}</p>
      ) : (
        <div className={css.actions}>
          {free.map((offer) => (
            <Button key={offer.id} icon="link" pending={link.pendingId === offer.id} onClick={() => void linkTo(offer)}>
              {words.connect(offer.name)}
            </Button>
          ))}
        </div>
      )}
      {asked && (
        <UnlinkDialog
          identity={asked}
          name={nameOf(asked.provider)}
          nameOf={nameOf}
          settings={settings}
          offered={offers.map(({ id }) => id)}
          onClose={() => setAsked(undefined)}
          onUnlinked={() => (setGone(nameOf(asked.provider)), setAsked(undefined))}
          onOff={() => (setOff(), setAsked(undefined))}
        />
      )}
    </>
  )
}

/** Leaves for the provider, which brings the person back to the callback page and then here. */
function useLink() {
  const { auth } = useClient()
  const { pending } = useDoorMemory()
  const stepUp = useStepUp()
  const [pendingId, setPendingId] = useState('')
  const save = useSave(async (provider: string) => {
    if (!(await stepUp('factors'))) return
    pending.remember({ way: 'provider', email: '', to: '/account' })
    await unwrap(auth.linkIdentity({ provider: provider as Provider, options: { redirectTo: `${location.origin}/callback` } }))
  })
  const start = async (provider: string): Promise<AppError | null> => {
    setPendingId(provider)
    const error = await save.run(provider)
    setPendingId('')
    if (error) pending.forget()
    return error
  }
  return { start, pendingId, state: save.state }
}
