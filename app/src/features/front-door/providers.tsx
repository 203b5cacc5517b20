import { useState } from 'react'
import type { Client } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { useClient } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { FailureBanner } from './failure-banner.tsx'
import css from './front-door.module.css'
import { offeredProviders, providerName } from './provider-names.ts'
import { callbackAddress } from './send-mail.ts'
import { useAttempt } from './use-attempt.ts'

type Provider = Parameters<Client['auth']['signInWithOAuth']>[0]['provider']

/** One button a provider; the provider brings the person back to the callback page. */
export function Providers({ providers, to }: { providers: readonly string[]; to: string }) {
  const { frontDoor: words } = useMessages()
  const { auth } = useClient()
  const { pending } = useDoorMemory()
  const [chosen, setChosen] = useState('')
  const leave = useAttempt(async (provider: string) => {
    setChosen(provider)
    pending.remember({ way: 'provider', email: '', to })
    await unwrap(auth.signInWithOAuth({ provider: provider as Provider, options: { redirectTo: callbackAddress() } }))
  })

  return (
    <div className={css.providers}>
      <FailureBanner error={leave.error} />
      {offeredProviders(providers).map((provider) => (
        <Button key={provider} size="door" wide pending={leave.pending && chosen === provider} onClick={() => leave.run(provider)}>
          {words.signIn.with(providerName(provider))}
        </Button>
      ))}
    </div>
  )
}
