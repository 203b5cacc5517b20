import { useState, type FormEvent } from 'react'
import { toAppError } from '#api/unwrap.ts'
import { useFailureWords } from '#features/files/files-failure.tsx'
import { joinPath } from '#features/files/names/object-name.ts'
import { useNameFault } from '#features/files/names/use-name-fault.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './actions.module.css'
import { createFolder } from './deeds.ts'
import type { TaskParts } from './task-dialog.tsx'

/** Asks for a name and makes the folder. */
export function NewFolderDialog({ shared, onClose }: TaskParts) {
  const { files: words, errors, ui } = useMessages()
  const { source, bucket, address, entries, permissions } = shared
  const wordsOf = useFailureWords()
  const faultOf = useNameFault()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [isPending, setPending] = useState(false)

  const create = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    const fault = faultOf(wanted) ?? (entries.some((entry) => entry.name === wanted) ? words.nameTaken : undefined)
    setError(fault)
    if (fault !== undefined || isPending) return
    setPending(true)
    const folder = joinPath(address.folder, wanted)
    try {
      await createFolder(source, { bucket: bucket.id, folder }, bucket.allowedTypes)
      shared.refresh()
      onClose()
      shared.enter(folder)
    } catch (cause) {
      const failure = toAppError(cause)
      if (failure.kind === 'forbidden') permissions.refuse('upload', address.folder)
      const { title, whatToDo } = wordsOf(failure)
      setError(errors.sentences(title, whatToDo))
      setPending(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words.newFolder}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button variant="primary" type="submit" form="new-folder" pending={isPending}>{words.createFolder}</Button>
        </>
      }
    >
      <form id="new-folder" className={css.form} onSubmit={(event) => void create(event)} noValidate>
        <TextField label={words.folderName} value={name} onChange={(event) => setName(event.target.value)} error={error} autoFocus autoComplete="off" spellCheck={false} />
      </form>
    </Dialog>
  )
}
