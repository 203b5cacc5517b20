import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '#api/client.ts'
import css from '#features/account/account.module.css'
import { Section } from '#features/account/account-frame.tsx'
import { useAccountSource, usePack } from '#features/account/queries.ts'
import { useMessages } from '#messages/messages.tsx'
import { usePart } from '#messages/use-part.ts'
import { useUser } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** Whether there is a password to change: the pack knows; without it, an account of providers alone most likely has none. */
function usePasswordState(user: User): 'there' | 'missing' | 'likely-missing' {
  const hasPassword = usePack()?.hasPassword
  if (hasPassword !== undefined) return hasPassword ? 'there' : 'missing'
  const identities = user.identities ?? []
  return identities.length > 0 && identities.every(({ provider }) => provider !== 'email' && provider !== 'phone') ? 'likely-missing' : 'there'
}

/** The password is never shown; a change asks for what the project wants to see, when it wants it. */
export function PasswordSection() {
  const { password: words } = useMessages().account
  const [step, setStep] = useState<'closed' | 'open' | 'saved' | 'set'>('closed')
  const user = useUser()
  const queries = useQueryClient()
  const source = useAccountSource()
  const state = usePasswordState(user)
  // Somebody's password is theirs at the organisation that signs them in.
  const needsEmail = state === 'missing' && !user.email
  const done = () => {
    setStep(state === 'there' ? 'saved' : 'set')
    void queries.invalidateQueries({ queryKey: source.scope })
  }
  const lead = needsEmail ? words.setNeedsEmail : { there: words.lead, missing: words.setLead, 'likely-missing': words.setLeadMaybe }[state]
  return (
    <Section heading={words.heading} lead={lead}>
      {step === 'saved' && <Banner tone="success">{words.saved}</Banner>}
      {step === 'set' && <Banner tone="success">{words.isSet}</Banner>}
      {step === 'open' ? (
        <OpenForm onDone={done} onCancel={() => setStep('closed')} />
      ) : (
        <div className={css.actions}>
          <Button disabled={needsEmail} onClick={() => setStep('open')}>
            {state === 'there' ? words.change : words.set}
          </Button>
        </div>
      )}
    </Section>
  )
}

const loadForm = () => import('./password-form.tsx')

function OpenForm(props: { onDone: () => void; onCancel: () => void }) {
  const { password: words } = useMessages().account
  const part = usePart(loadForm, 'ways')
  return part ? <part.PasswordForm {...props} /> : <Skeleton label={words.heading} lines={3} />
}
