import { useState } from 'react'
import { canUseKeys } from '#api/ceremony.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Enrol } from './enrol.tsx'
import type { FactorKind } from './factor-list.ts'
import css from './factors.module.css'
import { useOfferedKinds } from './use-factors.ts'
import { WithFactorWords } from './with-factor-words.tsx'

/** Setting up a second step before the first visit, where the operator asks everyone for one. */
export function RequiredEnrolment({ onDone }: { onDone: () => void }) {
  return (
    <WithFactorWords>
      <Required onDone={onDone} />
    </WithFactorWords>
  )
}

function Required({ onDone }: { onDone: () => void }) {
  const { factors: words } = useMessages()
  const offered = useOfferedKinds().filter((kind) => kind !== 'webauthn' || canUseKeys())
  const [chosen, choose] = useState<FactorKind | undefined>(offered.length === 1 ? offered[0] : undefined)
  const [showsCodes, setShowsCodes] = useState(false)
  if (chosen) {
    return (
      <div className={css.stack}>
        <Enrol kind={chosen} size="door" onCodes={() => setShowsCodes(true)} onDone={onDone} />
        {offered.length > 1 && !showsCodes && (
          <Button variant="quiet" size="door" onClick={() => choose(undefined)}>
            {words.enrol.otherWay}
          </Button>
        )}
      </div>
    )
  }
  if (offered.length === 0) return <Banner tone="warning">{words.noneOffered}</Banner>
  return (
    <div className={css.stack}>
      <p className={css.quiet}>{words.enrol.choose}</p>
      {offered.map((kind) => (
        <div key={kind} className={css.choice}>
          <Button size="door" wide onClick={() => choose(kind)}>
            {words.kinds[kind]}
          </Button>
          <p className={css.quiet}>{words.addHint[kind]}</p>
        </div>
      ))}
    </div>
  )
}
