import { useEffect, useRef } from 'react'
import type { Entry } from '#features/files/names/entry.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import css from './actions.module.css'
import { downloadZip } from './download.ts'
import { RunView } from './run-view.tsx'
import type { TaskParts } from './task-dialog.tsx'
import { useRun } from './use-run.ts'

/** Packs several files into one archive, which takes a while: how far it is, and the way to stop it. */
export function DownloadDialog({ shared, entries, onClose }: TaskParts & { entries: readonly Entry[] }) {
  const { files: words, ui } = useMessages()
  const { source, bucket, address } = shared
  const { run, start, stop } = useRun()
  const hasBegun = useRef(false)
  const [only] = entries
  const name = `${entries.length === 1 && only ? only.name : address.folder.split('/').at(-1) || bucket.id}.zip`

  // It is asked for by opening the dialog; drawn twice, it still begins once.
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    void start((running) => downloadZip(source, { bucket: bucket.id, entries, name }, running)).then((result) => result?.isWhole && result.failures.length === 0 && onClose())
    // oxlint-disable-next-line react/exhaustive-deps -- begins once
  }, [])

  return (
    <Dialog
      open
      onClose={run.step === 'running' ? stop : onClose}
      size="small"
      title={words.downloadTitle(name)}
      footer={run.step === 'running' ? <Button onClick={stop}>{words.stop}</Button> : <Button variant="primary" onClick={onClose}>{ui.close}</Button>}
    >
      <div className={css.form}><RunView run={run} /></div>
    </Dialog>
  )
}
