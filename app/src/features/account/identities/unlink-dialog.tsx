import { useQuery } from '@tanstack/react-query'
import type { AuthSettings } from '#api/auth-settings.ts'
import { explain } from '#api/explain.ts'
import { unwrap } from '#api/unwrap.ts'
import { hasPasskeyQuery, useAccountSource, usePack } from '#features/account/queries.ts'
import { useSave } from '#features/account/use-save.ts'
import { useMessages } from '#messages/messages.tsx'
import { useConnection, useUser } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Dialog } from '#ui/dialog.tsx'
import type { Identity } from './identities-section.tsx'
import { remainingWays, type Way } from './remaining-ways.ts'

interface UnlinkDialogProps {
  identity: Identity
  name: string
  nameOf: (provider: string) => string
  settings: AuthSettings
  offered: readonly string[]
  onClose: () => void
  onUnlinked: () => void
  /** The project lets nobody connect or disconnect by themselves. */
  onOff: () => void
}

/** Asks before an account is disconnected, and refuses when nothing would be left to come in by. */
export function UnlinkDialog({ identity, name, nameOf, settings, offered, onClose, onUnlinked, onOff }: UnlinkDialogProps) {
  const { access, errors, ui } = useMessages()
  const words = access.identities
  const connection = useConnection()
  const { auth } = connection.client
  const user = useUser()
  const pack = usePack()
  const stepUp = useStepUp()
  const passkey = useQuery({ ...hasPasskeyQuery(useAccountSource()), enabled: settings.passkeys })
  const ways = remainingWays(identity.identity_id, { user, hasPassword: pack?.hasPassword, hasPasskey: passkey.data === true, settings, offered })
  const unlink = useSave(async () => {
    if (!(await stepUp('factors'))) return
    await unwrap(auth.unlinkIdentity(identity))
    // The client tells of no event: the person is read again.
    await unwrap(auth.refreshSession())
    onUnlinked()
  })
  const confirm = async () => {
    const failure = await unlink.run()
    if (failure?.code === 'manual_linking_disabled') onOff()
  }
  const wayName = (way: Way) => ({ password: words.bodyPassword, mail: words.bodyMail, phone: words.bodyPhone, passkey: words.bodyPasskey })[way as string] ?? nameOf(way)

  if (ways.length === 0 && !passkey.isLoading) {
    return (
      <Dialog open onClose={onClose} size="small" title={words.title(name)} lead={words.lockOut(name)} footer={<Button variant="primary" onClick={onClose}>{ui.close}</Button>} />
    )
  }
  const failed = unlink.state.step === 'failed' ? explain(unlink.state.error, errors) : null
  return (
    <ConfirmDialog
      open
      title={words.title(name)}
      confirmLabel={words.disconnectShort}
      error={failed && errors.sentences(words.failed(name), failed.title, failed.whatToDo)}
      onConfirm={confirm}
      onClose={onClose}
    >
      {words.body(ways.map(wayName))}
    </ConfirmDialog>
  )
}
