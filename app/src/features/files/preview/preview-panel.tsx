import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { filesPath } from '#features/files/address.ts'
import { FilesFailure } from '#features/files/files-failure.tsx'
import type { BucketView } from '#features/files/list/bucket-screen.tsx'
import type { FileEntry } from '#features/files/names/entry.ts'
import { joinPath } from '#features/files/names/object-name.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { Menu } from '#ui/menu.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Details } from './details.tsx'
import css from './preview.module.css'
import { Preview } from './preview.tsx'
import { infoQuery, type FileInfo } from './preview-query.ts'

/** One file over the list it comes from: what it looks like and what is known of it. It has an address of its own. */
export function PreviewPanel({ shared, name }: { shared: BucketView; name: string }) {
  const { files: words } = useMessages()
  const { source, bucket, address } = shared
  const path = joinPath(address.folder, name)
  const info = useQuery(infoQuery(source, { bucket: bucket.id, path }))
  const listed = shared.entries.find((entry): entry is FileEntry => entry.kind === 'file' && entry.path === path)
  const file = info.data ?? (listed && fromList(listed))
  const close = () => navigate(filesPath(bucket.id, { ...address, file: undefined }))
  const steps = useNeighbours(shared, path)
  const panel = usePanelKeys(steps, close)
  return (
    <Sheet open onClose={close} label={name} width={760}>
      <div ref={panel} className={css.panel}>
        <Head shared={shared} file={file} name={name} steps={steps} onClose={close} />
        <div className={css.content} tabIndex={0} role="group" aria-label={name}>
          {file ? <Preview key={file.path} source={source} bucket={bucket.id} file={file} /> : info.isPending && <Skeleton label={words.loading} lines={8} />}
          {info.isError && <FilesFailure error={info.error} onRetry={() => void info.refetch()} retrying={info.isFetching} layout={file ? 'line' : 'place'} />}
          {file && <Details bucket={bucket} file={file} />}
        </div>
      </div>
    </Sheet>
  )
}

const fromList = ({ id, path, name, sizeBytes, type, updatedAt, createdAt }: FileEntry): FileInfo => ({ id, path, name, sizeBytes, type, updatedAt, createdAt, cacheControl: '', etag: '', version: '', metadata: {} })

interface Neighbours {
  before: FileEntry | undefined
  after: FileEntry | undefined
  go: (entry: FileEntry) => void
}

/** The files beside it, as the list stands. */
function useNeighbours({ entries, bucket, address }: BucketView, path: string): Neighbours {
  const files = useMemo(() => entries.filter((entry): entry is FileEntry => entry.kind === 'file'), [entries])
  const at = files.findIndex((entry) => entry.path === path)
  return {
    before: at > 0 ? files[at - 1] : undefined,
    after: at >= 0 ? files[at + 1] : undefined,
    go: (entry) => navigate(filesPath(bucket.id, { ...address, file: entry.name }), { replace: true }),
  }
}

/** Arrows lead to the files beside it, Space back to the list: wherever in the panel the focus is, its frame included. */
function usePanelKeys(steps: Neighbours, close: () => void) {
  const panel = useRef<HTMLDivElement>(null)
  const latest = useRef({ steps, close })
  useEffect(() => {
    latest.current = { steps, close }
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.defaultPrevented || !panel.current?.closest('[role="dialog"]')?.contains(target)) return
      if (target.closest('input, textarea, video, audio, iframe, [role="menu"], [data-scrolls]')) return
      const { steps: beside, close: leave } = latest.current
      const next = event.key === 'ArrowRight' ? beside.after : event.key === 'ArrowLeft' ? beside.before : undefined
      if (next) beside.go(next)
      else if (event.key === ' ' && !target.closest('button, a, summary')) leave()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return panel
}

interface HeadProps {
  shared: BucketView
  file: FileInfo | undefined
  name: string
  steps: Neighbours
  onClose: () => void
}

function Head({ shared, file, name, steps, onClose }: HeadProps) {
  const { files: words, ui } = useMessages()
  const [isBusy, setBusy] = useState(false)
  const entry: FileEntry | undefined = file && { kind: 'file', ...file }
  const download = async () => {
    if (!entry) return
    setBusy(true)
    await shared.download([entry])
    setBusy(false)
  }
  const groups = entry ? shared.menuOf([entry]).map((group) => ({ ...group, items: group.items.filter(({ id }) => id !== 'open') })) : []
  return (
    <header className={css.head}>
      <h2 className={css.name} title={name}>{name}</h2>
      <div className={css.tools}>
        <IconButton icon="chevron-left" label={words.previousFile} disabled={!steps.before} onClick={() => steps.before && steps.go(steps.before)} />
        <IconButton icon="chevron-right" label={words.nextFile} disabled={!steps.after} onClick={() => steps.after && steps.go(steps.after)} />
        <Button icon="download" pending={isBusy} disabled={!entry} onClick={() => void download()} className={css.download}>{words.download}</Button>
        <Menu label={words.actionsOf(name)} placement="bottom end" trigger={<IconButton icon="more" label={words.actionsOf(name)} disabled={!entry} />} groups={groups} />
        <IconButton icon="close" label={ui.close} onClick={onClose} />
      </div>
    </header>
  )
}
