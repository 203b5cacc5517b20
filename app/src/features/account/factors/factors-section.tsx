import { useEffect, useRef, useState } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { canUseKeys } from '#api/ceremony.ts'
import { useUser } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Section } from '#features/account/account-frame.tsx'
import { CodesRow } from './codes-row.tsx'
import { EnrolDialog } from './enrol-dialog.tsx'
import { hasRecoveryCodes, listOwnFactors, type FactorKind } from './factor-list.ts'
import { FactorItem } from './factor-item.tsx'
import css from './factors.module.css'
import { useOfferedKinds } from './use-factors.ts'
import { useRefreshLists } from './use-refresh-lists.ts'
import { WithFactorWords } from './with-factor-words.tsx'

/** The second steps of the person's sign-in: what there is, what can be added, and the codes for when all is lost. */
export function FactorsSection() {
  return (
    <WithFactorWords>
      <Factors />
    </WithFactorWords>
  )
}

/** The section's own address on its page. */
const place = 'two-step'

const addIcons = { totp: 'shield', phone: 'phone', webauthn: 'key' } as const

function Factors() {
  const { factors: words } = useMessages()
  const user = useUser()
  const stepUp = useStepUp()
  const [adding, setAdding] = useState<FactorKind>()
  const [said, say] = useState('')
  const own = listOwnFactors(user)
  useListsFollow(own.map(({ id }) => id).join())
  useArrivalHere()
  // The server takes one phone a person.
  const offered = useOfferedKinds().filter((kind) => (kind !== 'webauthn' || canUseKeys()) && (kind !== 'phone' || own.every((factor) => factor.kind !== 'phone')))
  if (user.is_anonymous || (own.length === 0 && offered.length === 0)) return null

  const add = async (kind: FactorKind) => {
    say('')
    if (await stepUp('factors')) setAdding(kind)
  }
  return (
    <Section id={place} heading={words.heading} lead={words.lead}>
      {said !== '' && <Banner tone="success">{said}</Banner>}
      {own.length === 0 && <p className={css.quiet}>{words.none}</p>}
      {own.length > 0 && (
        <ul className={css.list}>
          {own.map((factor) => (
            <FactorItem key={factor.id} factor={factor} isLast={own.length === 1} onRemoved={(name) => say(words.removed(name))} />
          ))}
          <CodesRow key={String(hasRecoveryCodes(user))} />
        </ul>
      )}
      {offered.length > 0 && (
        <div className={css.row}>
          {offered.map((kind) => (
            <Button key={kind} icon={addIcons[kind]} onClick={() => void add(kind)}>
              {words.add[kind]}
            </Button>
          ))}
        </div>
      )}
      {adding && (
        <EnrolDialog
          kind={adding}
          onClose={() => setAdding(undefined)}
          onDone={() => {
            setAdding(undefined)
            say(words.enrol.done)
          }}
        />
      )}
    </Section>
  )
}

/** What happened to the account and where it is signed in is read anew once factors came or went, here or in another tab. */
function useListsFollow(factorIds: string) {
  const refreshLists = useRefreshLists()
  const seen = useRef(factorIds)
  useEffect(() => {
    if (seen.current === factorIds) return
    seen.current = factorIds
    refreshLists()
  }, [factorIds, refreshLists])
}

/** Who was led here by the address finds it in view; it comes after the page, when a browser has looked for it in vain. */
function useArrivalHere() {
  useEffect(() => {
    if (location.hash !== `#${place}`) return
    const section = document.getElementById(place)
    section?.scrollIntoView()
    section?.focus({ preventScroll: true })
  }, [])
}
