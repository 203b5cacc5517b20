import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Section } from '#features/account/account-frame.tsx'
import css from '#features/account/account.module.css'
import { packQuery, useAccountSource } from '#features/account/queries.ts'
import { useMessages } from '#messages/messages.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Button } from '#ui/button.tsx'

const RemoveDialog = lazy(async () => ({ default: (await import('./remove-dialog.tsx')).RemoveDialog }))

/** Leaving for good; absent where the project has no function for it. */
export function RemoveSection() {
  const { remove: words } = useMessages().ownData
  const { data: pack } = useQuery(packQuery(useAccountSource()))
  const [isOpen, setOpen] = useState(false)
  const stepUp = useStepUp()
  if (!pack) return null
  const begin = async () => {
    if (await stepUp('delete-account')) setOpen(true)
  }
  return (
    <Section heading={words.heading} lead={words.lead}>
      <div className={css.actions}>
        <Button variant="danger" onClick={() => void begin()}>
          {words.start}
        </Button>
      </div>
      <Suspense>{isOpen && <RemoveDialog references={pack.references} onClose={() => setOpen(false)} />}</Suspense>
    </Section>
  )
}
