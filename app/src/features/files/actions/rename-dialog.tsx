import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { Entry } from '#features/files/names/entry.ts'
import { folderOf, splitEnding } from '#features/files/names/object-name.ts'
import { useNameFault } from '#features/files/names/use-name-fault.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './actions.module.css'
import { carry } from './deeds.ts'
import { RunView } from './run-view.tsx'
import type { TaskParts } from './task-dialog.tsx'
import { useRun } from './use-run.ts'

/** Gives an entry another name. A folder's files are moved one by one: storage knows no folders. */
export function RenameDialog({ shared, entry, onClose }: TaskParts & { entry: Entry }) {
  const { files: words, ui } = useMessages()
  const { source, bucket, entries, permissions } = shared
  const faultOf = useNameFault()
  const { run, start, stop } = useRun()
  const [name, setName] = useState(entry.name)
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  // The ending is seldom what one wants to change.
  useEffect(() => field.current?.setSelectionRange(0, entry.kind === 'file' ? splitEnding(entry.name)[0].length : entry.name.length), [entry])

  const rename = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    if (wanted === entry.name) return onClose()
    const fault = faultOf(wanted) ?? (entries.some((other) => other.name === wanted) ? words.nameTaken : undefined)
    setError(fault)
    if (fault !== undefined || run.step === 'running') return
    const result = await start((running) => carry(source, { verb: 'move', from: bucket.id, entries: [entry], to: { bucket: bucket.id, folder: folderOf(entry.path) }, nameOf: () => wanted }, running))
    if (!result) return
    shared.refresh()
    for (const failure of result.failures) if (failure.error.kind === 'forbidden') permissions.refuse('move', failure.path)
    if (result.failures.length === 0 && result.isWhole) onClose()
  }
  const isOver = run.step === 'over'
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words.renameTitle(entry.name)}
      footer={
        isOver ? <Button variant="primary" onClick={onClose}>{ui.close}</Button> : (
          <>
            <Button onClick={run.step === 'running' ? stop : onClose}>{run.step === 'running' ? words.stop : ui.cancel}</Button>
            <Button variant="primary" type="submit" form="rename" pending={run.step === 'running'}>{words.rename}</Button>
          </>
        )
      }
    >
      <form id="rename" className={css.form} onSubmit={(event) => void rename(event)} noValidate>
        {!isOver && <TextField ref={field} label={words.newName} value={name} onChange={(event) => setName(event.target.value)} error={error} autoFocus autoComplete="off" spellCheck={false} disabled={run.step === 'running'} />}
        <RunView run={run} />
      </form>
    </Dialog>
  )
}
