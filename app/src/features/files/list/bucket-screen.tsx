import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Task } from '#features/files/actions/task.ts'
import { useFilesAddress, type FilesAddress } from '#features/files/address.ts'
import type { Entry } from '#features/files/names/entry.ts'
import { nameOf } from '#features/files/names/object-name.ts'
import type { Permissions } from '#features/files/permissions.ts'
import type { FileSource } from '#features/files/source.ts'
import { DropPlace } from '#features/files/uploads/drop-place.tsx'
import type { UploadPlanning } from '#features/files/uploads/use-upload-plan.tsx'
import { useMessages } from '#messages/messages.tsx'
import { useAnnounce } from '#ui/announcer.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import type { MenuGroup } from '#ui/menu.tsx'
import type { KnownBucket } from './bucket-query.ts'
import css from './bucket-screen.module.css'
import { BucketToolbar } from './bucket-toolbar.tsx'
import { ContextMenu } from './context-menu.tsx'
import { FileGrid } from './file-grid.tsx'
import { FolderStatus } from './folder-status.tsx'
import { insteadOfEntries } from './nothing-here.tsx'
import { useBucketView } from './use-bucket-view.ts'
import { useRowDeeds } from './use-row-deeds.ts'
import type { Entries } from './use-entries.ts'
import type { FileSelection } from './use-selection.ts'

const TaskDialog = lazy(async () => ({ default: (await import('#features/files/actions/task-dialog.tsx')).TaskDialog }))
const PreviewPanel = lazy(async () => ({ default: (await import('#features/files/preview/preview-panel.tsx')).PreviewPanel }))

/** Everything the parts of one bucket's screen share. */
export interface BucketView {
  source: FileSource
  bucket: KnownBucket
  address: FilesAddress
  list: Entries
  entries: readonly Entry[]
  selection: FileSelection
  permissions: Permissions
  planning: UploadPlanning
  /** Goes into a folder of this bucket. */
  enter: (folder: string) => void
  /** Changes how the folder is seen; the address holds it. */
  see: (change: Partial<Pick<FilesAddress, 'search' | 'sort'>>) => void
  refresh: (otherBucket?: string) => void
  download: (entries: readonly Entry[]) => Promise<void>
  menuOf: (entries: readonly Entry[]) => MenuGroup[]
  onTask: (task: Task | undefined) => void
}

/** One bucket: its folders and files, and what can be done with them. */
export function BucketScreen({ bucket }: { bucket: string }) {
  const address = useFilesAddress(bucket)
  const [seen, setSeen] = useState<{ folder: string; before?: string }>({ folder: address.folder })
  if (seen.folder !== address.folder) setSeen({ folder: address.folder, before: seen.folder })
  // The row a folder was entered by is gone with its list: the focus goes on to where one is now.
  return <Folder key={`${bucket}/${address.folder}`} address={address} cameFrom={seen.before} />
}

function Folder({ address, cameFrom }: { address: FilesAddress; cameFrom: string | undefined }) {
  const [task, setTask] = useState<Task>()
  const [menu, setMenu] = useState<{ entries: readonly Entry[]; at: { x: number; y: number } }>()
  const { files: words } = useMessages()
  const shared = useBucketView(address, { cameFrom, onTask: setTask })
  const deeds = useRowDeeds(shared, { onTask: setTask, onMenu: setMenu })
  const { list, selection, bucket, permissions, planning } = shared
  useReturningFocus(task === undefined)
  const title = address.folder === '' ? bucket.id : nameOf(address.folder)
  const isEmpty = list.state.step !== 'loading' && list.entries.length === 0
  const place = useRef<HTMLElement>(null)
  const announce = useAnnounce()
  // Where there are rows, the keys go on among them.
  useEffect(() => {
    if (cameFrom === undefined) return
    if (isEmpty) place.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    else announce(title)
  }, [cameFrom, isEmpty, announce, title])
  const mayUpload = permissions.may('upload', address.folder)
  return (
    <section ref={place} className={css.screen} aria-label={title}>
      <DocumentTitle>{title}</DocumentTitle>
      <BucketToolbar shared={shared} mayUpload={mayUpload} />
      <DropPlace folder={address.folder} isOpen={mayUpload} label={words.dropHere(title)} onFiles={planning.offer}>
        <FileGrid
          label={words.filesIn(title)}
          entries={list.entries}
          selection={selection}
          sort={address.sort}
          onSort={(sort) => shared.see({ sort })}
          deeds={deeds}
          hasMore={list.hasMore}
          onMore={list.readMore}
          isBusy={list.isBusy}
          takesFocus={cameFrom !== undefined}
          instead={insteadOfEntries(shared, mayUpload)}
        />
      </DropPlace>
      <FolderStatus shared={shared} />
      {menu && <ContextMenu at={menu.at} label={words.actions} groups={shared.menuOf(menu.entries)} onClose={() => setMenu(undefined)} />}
      {planning.question}
      <Suspense>
        {task && <TaskDialog task={task} shared={shared} onClose={() => setTask(undefined)} />}
        {address.file !== undefined && <PreviewPanel shared={shared} name={address.file} />}
      </Suspense>
    </section>
  )
}

const settleMs = 80

/** A dialog gives the focus back to the row it was opened from; where that is gone, the list's own row takes it. */
function useReturningFocus(isClosed: boolean): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    const mustLook = isClosed && wasOpen.current
    wasOpen.current = !isClosed
    if (!mustLook) return
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('[role="grid"] [data-index][tabindex="0"]')?.focus({ preventScroll: true })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [isClosed])
}
