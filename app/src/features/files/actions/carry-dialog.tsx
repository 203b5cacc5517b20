import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bucketsQuery } from '#features/files/list/bucket-query.ts'
import { readFolder } from '#features/files/list/list-query.ts'
import type { Entry } from '#features/files/names/entry.ts'
import { folderOf, freeName, isWithin } from '#features/files/names/object-name.ts'
import type { FileSource } from '#features/files/source.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Select } from '#ui/select.tsx'
import { useToast } from '#ui/toaster.tsx'
import css from './actions.module.css'
import { carry, keepFolder, type Place, type Running } from './deeds.ts'
import { FolderPicker } from './folder-picker.tsx'
import { RunView } from './run-view.tsx'
import type { TaskParts } from './task-dialog.tsx'
import { useRun } from './use-run.ts'

/** Moves or copies entries to a folder that is chosen here. */
export function CarryDialog({ shared, verb, entries, onClose }: TaskParts & { verb: 'move' | 'copy'; entries: readonly Entry[] }) {
  const { files: words, ui } = useMessages()
  const toast = useToast()
  const { source, bucket, address, permissions } = shared
  const { run, start, stop } = useRun()
  const [to, setTo] = useState<Place>({ bucket: bucket.id, folder: address.folder })
  const [problem, setProblem] = useState<string>()
  const refusal = verb === 'move' && to.bucket === bucket.id && to.folder === address.folder
    ? words.alreadyThere
    : entries.some((entry) => entry.kind === 'folder' && to.bucket === bucket.id && isWithin(entry.path, to.folder)) ? words.intoItself : undefined

  const go = async () => {
    setProblem(undefined)
    const result = await start(async (running) => {
      const given = await namesThere(source, { to, entries }, running)
      return carry(source, { verb, from: bucket.id, entries, to, nameOf: (entry) => given.get(entry.path) ?? entry.name }, running)
    })
    if (!result) return
    if (verb === 'move' && result.done > 0 && shared.entries.length === entries.length) await keepFolder(source, { bucket: bucket.id, folder: folderOf(entries[0]?.path ?? '') }, bucket.allowedTypes)
    shared.refresh(to.bucket)
    for (const { path, error } of result.failures) if (error.kind === 'forbidden') permissions.refuse(verb, path)
    if (result.failures.length > 0 || !result.isWhole) return
    shared.selection.clear()
    toast({ text: (verb === 'move' ? words.moved : words.copied)(entries.length, to.folder === '' ? to.bucket : to.folder) })
    onClose()
  }
  const isOver = run.step === 'over'
  const title = (verb === 'move' ? words.moveTitle : words.copyTitle)(entries.length, entries[0]?.name ?? '')
  return (
    <Dialog
      open
      onClose={run.step === 'running' ? stop : onClose}
      title={title}
      footer={
        isOver ? <Button variant="primary" onClick={onClose}>{ui.close}</Button> : (
          <>
            <Button onClick={run.step === 'running' ? stop : onClose}>{run.step === 'running' ? words.stop : ui.cancel}</Button>
            <Button variant="primary" pending={run.step === 'running'} onClick={() => (refusal === undefined ? void go() : setProblem(refusal))}>{verb === 'move' ? words.moveHere : words.copyHere}</Button>
          </>
        )
      }
    >
      <div className={css.form}>
        {(run.step === 'ready' || run.step === 'failed') && (
          <>
            <BucketChoice source={source} own={bucket.id} value={to.bucket} onChange={(chosen) => setTo({ bucket: chosen, folder: '' })} />
            <FolderPicker place={to} hidden={verb === 'move' ? entries : []} onChange={(folder) => {
              setProblem(undefined)
              setTo({ bucket: to.bucket, folder })
            }} />
            {problem !== undefined && <p role="alert" className={css.note}>{problem}</p>}
          </>
        )}
        <RunView run={run} />
      </div>
    </Dialog>
  )
}

/** A name for each entry at its new place, beside those that are taken there. */
async function namesThere(source: FileSource, { to, entries }: { to: Place; entries: readonly Entry[] }, { signal }: Running): Promise<ReadonlyMap<string, string>> {
  const names = new Set((await readFolder(source, to, { signal })).map(({ name }) => name))
  return new Map(entries.map((entry) => {
    const name = freeName(entry.name, (taken) => names.has(taken))
    names.add(name)
    return [entry.path, name]
  }))
}

/** Only where there is more than one to choose from. */
function BucketChoice({ source, own, value, onChange }: { source: FileSource; own: string; value: string; onChange: (bucket: string) => void }) {
  const { files: words } = useMessages()
  const { data = [] } = useQuery(bucketsQuery(source))
  const ids = [...new Set([own, ...data.map(({ id }) => id)])]
  if (ids.length < 2) return null
  return (
    <Select label={words.bucket} value={value} onChange={(event) => onChange(event.target.value)}>
      {ids.map((id) => <option key={id} value={id}>{id}</option>)}
    </Select>
  )
}
