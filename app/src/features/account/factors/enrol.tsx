import { useState } from 'react'
import { useClient, useProject } from '#session/session.tsx'
import { EnrolApp } from './enrol-app.tsx'
import { EnrolKey } from './enrol-key.tsx'
import { EnrolPhone } from './enrol-phone.tsx'
import { hasRecoveryCodes, type FactorKind } from './factor-list.ts'
import { createCodes } from './recovery-codes.ts'
import { RecoveryCodes } from './recovery-codes-view.tsx'
import { useRefreshPerson } from './use-factors.ts'

/** What the form of each kind needs. */
export interface EnrolFormProps {
  size: 'door' | 'inside'
  /** The factor is verified; waits for what follows. */
  onEnrolled: () => Promise<void>
}

export interface EnrolProps {
  kind: FactorKind
  size: EnrolFormProps['size']
  /** The factor counts from now on; closing the rest loses nothing but the codes. */
  onCodes?: () => void
  /** All is done, the recovery codes are kept. */
  onDone: () => void
}

const forms = { totp: EnrolApp, phone: EnrolPhone, webauthn: EnrolKey } as const

/** Sets up one second factor, then shows the recovery codes to those who have none yet. */
export function Enrol({ kind, size, onCodes, onDone }: EnrolProps) {
  const client = useClient()
  const { id: projectId } = useProject()
  const refresh = useRefreshPerson()
  const [codes, setCodes] = useState<readonly string[]>()
  const Form = forms[kind]
  const enrolled = async () => {
    // The factor stands, whatever becomes of the rest.
    const person = await refresh().catch(() => undefined)
    const created = person && !hasRecoveryCodes(person) ? await createCodes(client, projectId) : undefined
    if (!created) return onDone()
    onCodes?.()
    setCodes(created)
    await refresh().catch(() => undefined)
  }
  return codes ? <RecoveryCodes codes={codes} size={size} onDone={onDone} /> : <Form size={size} onEnrolled={enrolled} />
}
