import { keepFolder, remove } from './deeds.ts'
import type { Entry } from '#features/files/names/entry.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { useToast } from '#ui/toaster.tsx'
import css from './actions.module.css'
import { RunView } from './run-view.tsx'
import type { TaskParts } from './task-dialog.tsx'
import { useRun } from './use-run.ts'

/** Asks before files are deleted, shows how far it is, and names those that could not be. */
export function DeleteDialog({ shared, entries, onClose }: TaskParts & { entries: readonly Entry[] }) {
  const { files: words, ui } = useMessages()
  const format = useFormat()
  const toast = useToast()
  const { source, bucket, address, permissions } = shared
  const { run, start, stop } = useRun()
  const [only] = entries
  const folders = entries.filter(({ kind }) => kind === 'folder').length
  const title = entries.length === 1 && only ? words.deleteTitle(only.name) : words.deleteSome(entries.length)

  const confirm = async () => {
    const result = await start((running) => remove(source, { bucket: bucket.id, entries }, running))
    if (!result) return
    for (const { path } of result.failures) permissions.refuse('delete', path)
    if (result.done > 0 && shared.entries.length === entries.length) await keepFolder(source, { bucket: bucket.id, folder: address.folder }, bucket.allowedTypes)
    shared.refresh()
    if (result.failures.length > 0 || !result.isWhole) return
    shared.selection.clear()
    toast({ text: words.deleted(result.done) })
    onClose()
  }
  const isOver = run.step === 'over'
  return (
    <Dialog
      open
      onClose={run.step === 'running' ? () => {} : onClose}
      size="small"
      role="alertdialog"
      title={title}
      lead={run.step === 'ready' ? <>{folders > 0 ? words.deleteFoldersHint : words.deleteHint}</> : undefined}
      footer={
        isOver ? <Button variant="primary" onClick={onClose}>{ui.close}</Button> : (
          <>
            <Button onClick={run.step === 'running' ? stop : onClose} autoFocus>{run.step === 'running' ? words.stop : ui.cancel}</Button>
            <Button variant="danger" pending={run.step === 'running'} onClick={() => void confirm()}>{entries.length === 1 ? (folders === 1 ? words.deleteFolder : words.deleteFile) : words.deleteCount(format.number(entries.length))}</Button>
          </>
        )
      }
    >
      {run.step === 'ready' ? undefined : <div className={css.form}><RunView run={run} /></div>}
    </Dialog>
  )
}
