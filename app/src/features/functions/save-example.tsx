import { useState, type FormEvent } from 'react'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useToast } from '#ui/toaster.tsx'
import type { Examples } from './examples.ts'
import css from './request.module.css'
import type { CallRequest } from './request.ts'
import { findSecrets, withoutSecrets } from './secrets.ts'

/** Keeps a request under a name; what looks like a secret is left out unless one insists. */
export function SaveExample({ request, examples, onClose }: { request: CallRequest; examples: Examples; onClose: () => void }) {
  const { functions: { examples: words } } = useMessages()
  const format = useFormat()
  const toast = useToast()
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const [isLeftOut, setLeftOut] = useState(true)
  const secrets = findSecrets(request)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const given = name.trim()
    if (given === '') return setFault(words.nameMissing)
    if (!examples.save(given, isLeftOut ? withoutSecrets(request) : request)) return setFault(words.full)
    toast({ text: words.saved(given), tone: 'success' })
    onClose()
  }
  const replaces = examples.list.some((example) => example.name === name.trim())
  return (
    <Dialog open onClose={onClose} title={words.saveTitle} lead={words.saveLead} footer={<><Button onClick={onClose}>{words.cancel}</Button><Button variant="primary" type="submit" form="save-example">{words.saveAction}</Button></>}>
      <form id="save-example" className={css.dialogForm} onSubmit={save} noValidate>
        <TextField label={words.name} value={name} onChange={(event) => (setName(event.target.value), setFault(undefined))} error={fault} hint={replaces ? words.replaces : undefined} autoFocus autoComplete="off" maxLength={80} />
        {secrets.length > 0 && (
          <>
            <Banner tone="warning" title={words.secretsTitle}>{words.secretsBody(format.list(secrets))}</Banner>
            <Checkbox label={words.leaveOut} checked={isLeftOut} onChange={(event) => setLeftOut(event.target.checked)} />
          </>
        )}
        {request.bodyKind === 'file' && <p className={css.muted}>{words.fileNote}</p>}
      </form>
    </Dialog>
  )
}
