import { useState } from 'react'
import { Redirect } from 'wouter'
import { useMessages } from '#messages/messages.tsx'
import { home } from '#session/redirects.ts'
import { useSession } from '#session/session.tsx'
import { GuestConfirm, type SentTo } from './guest-confirm.tsx'
import { GuestEmail } from './guest-email.tsx'
import { GuestPhone } from './guest-phone.tsx'
import { useDoorSettings } from './settings-store.ts'
import { useSignUpFields } from './use-sign-up-fields.ts'
import { Waiting } from './waiting.tsx'

/** `/save-account`: a guest becomes a person with an address and a password, or with a number; the user, and all they did, stays the same. */
export function SaveAccountPage() {
  const session = useSession()
  const { ways } = useMessages()
  const { data: settings } = useDoorSettings()
  // What the operator asks is kept while the way, or the address, is changed.
  const fields = useSignUpFields()
  const [sent, setSent] = useState<SentTo | 'ask'>()
  const [chosen, setChosen] = useState<'email' | 'phone'>()
  if (session.step === 'starting') return <Waiting title={ways.keep.title} />
  // Whoever has an account by now, by the mail's link perhaps, has nothing left to do here.
  if (session.step !== 'signed-in' || !session.user.is_anonymous) return <Redirect to={home} replace />
  const { new_email: email, new_phone: phone } = session.user
  const awaited = sent ?? (email ? { way: 'email', address: email } : phone ? { way: 'phone', address: `+${phone.replace(/^\+/, '')}` } : 'ask')
  if (awaited !== 'ask') return <GuestConfirm key={awaited.address} sent={awaited} onOther={() => (setChosen(awaited.way), setSent('ask'))} />
  const way = chosen ?? (settings?.email === false && settings.phone ? 'phone' : 'email')
  const ask = { fields, onSent: setSent }
  return way === 'phone' ? (
    <GuestPhone {...ask} onOther={settings?.email === false ? undefined : () => setChosen('email')} />
  ) : (
    <GuestEmail {...ask} onOther={settings?.phone ? () => setChosen('phone') : undefined} />
  )
}
