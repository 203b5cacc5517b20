import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AppError } from '#api/app-error.ts'
import type { AuthSettings } from '#api/auth-settings.ts'
import type { Client, User } from '#api/client.ts'
import { explain } from '#api/explain.ts'
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
import { accountOf, IdentityRow } from './identity-row.tsx'
import { UnlinkDialog } from './unlink-dialog.tsx'
import { useLinkingOff } from './use-linking-off.ts'
import { returnPath, useReturn, type Return } from './use-return.ts'

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

function Identities({ settings, offers }: { settings: AuthSettings; offers: readonly Offer[] }) {
  const words = useMessages().access.identities
  const user = useUser()
  const [asked, setAsked] = useState<Identity>()
  const [gone, setGone] = useState('')
  const [isOff, setOff] = useLinkingOff()
  const [came, forgetReturn] = useReturn()
  const identities = user.identities ?? []
  const nameOf = (provider: string) => offers.find(({ id }) => id === provider)?.name ?? (provider === 'email' ? words.email : provider === 'phone' ? words.phone : providerName(provider))
  // Two of one provider are told apart by whose they are.
  const labelOf = (identity: Identity) => {
    const isOneOfSeveral = identities.filter(({ provider }) => provider === identity.provider).length > 1
    return isOneOfSeveral && accountOf(identity) !== '' ? `${nameOf(identity.provider)} (${accountOf(identity)})` : nameOf(identity.provider)
  }
  const free = offers.filter(({ id }) => !identities.some(({ provider }) => provider === id))
  const link = useLink()
  const linkTo = async (offer: Offer) => {
    setGone('')
    forgetReturn()
    if ((await link.start(offer.id))?.code === 'manual_linking_disabled') setOff()
  }
  return (
    <>
      {identities.length > 0 && (
        <ul className={css.rows}>
          {identities.map((identity) => (
            <IdentityRow key={identity.identity_id} identity={identity} name={nameOf(identity.provider)} label={labelOf(identity)} onUnlink={identities.length > 1 && !isOff ? () => (setGone(''), forgetReturn(), setAsked(identity)) : undefined} />
          ))}
        </ul>
      )}
      {identities.length === 1 && identities.some(({ provider }) => provider !== 'email' && provider !== 'phone') && <p className={css.note}>{words.onlyOne}</p>}
      {came && <Returned came={came} name={nameOf(came.provider)} isLinked={identities.some(({ provider }) => provider === came.provider)} />}
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
          name={labelOf(asked)}
          nameOf={nameOf}
          settings={settings}
          offered={offers.map(({ id }) => id)}
          onClose={() => setAsked(undefined)}
          onUnlinked={() => (setGone(labelOf(asked)), setAsked(undefined))}
          onOff={() => (setOff(), setAsked(undefined))}
        />
      )}
    </>
  )
}

/** What came of a visit to a provider, in sight wherever the page was scrolled to. */
function Returned({ came, name, isLinked }: { came: Return; name: string; isLinked: boolean }) {
  const { access: { identities: words }, errors } = useMessages()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    void place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  if (!came.refusal && !isLinked) return null
  const { title, whatToDo } = explain(came.refusal, errors)
  return (
    <div ref={place}>
      {came.refusal ? (
        <Banner tone="danger" title={words.notLinked(name)}>
          {errors.sentences(title, whatToDo)}
        </Banner>
      ) : (
        <Banner tone="success">{words.linked(name)}</Banner>
      )}
    </div>
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
    pending.remember({ way: 'link', email: '', to: returnPath(provider) })
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
