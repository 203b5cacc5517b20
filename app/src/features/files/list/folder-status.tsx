import { useMedia } from '#ui/use-media.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import type { IconName } from '#ui/icon.tsx'
import type { BucketView } from './bucket-screen.tsx'
import css from './bucket-screen.module.css'

/** How much is here, and what can be done with what is selected. */
export function FolderStatus({ shared }: { shared: BucketView }) {
  return <footer className={css.status}>{shared.selection.entries.length > 0 ? <Selected shared={shared} /> : <Counted shared={shared} />}</footer>
}

function Counted({ shared: { list } }: { shared: BucketView }) {
  const { files: words } = useMessages()
  if (list.state.step !== 'ready') return null
  const folders = list.entries.filter(({ kind }) => kind === 'folder').length
  return <p role="status">{words.counted(folders, list.entries.length - folders, list.hasMore)}</p>
}

function Selected({ shared: { selection, permissions, download, onTask } }: { shared: BucketView }) {
  const { files: words } = useMessages()
  const format = useFormat()
  const { entries } = selection
  const may = (deed: 'move' | 'copy' | 'delete') => entries.every(({ path }) => permissions.may(deed, path))
  const size = entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.sizeBytes : 0), 0)
  return (
    <>
      <p className={css.count} role="status">{words.selectedCount(entries.length)}{size > 0 && ` · ${format.bytes(size)}`}</p>
      <div className={css.deeds} role="toolbar" aria-label={words.actions}>
        <Deed icon="download" label={words.download} onClick={() => void download(entries)} />
        {may('move') && <Deed icon="arrow-right" label={words.move} onClick={() => onTask({ kind: 'move', entries })} />}
        {may('copy') && <Deed icon="copy" label={words.copyTo} onClick={() => onTask({ kind: 'copy', entries })} />}
        {may('delete') && <Deed icon="trash" label={words.delete} onClick={() => onTask({ kind: 'delete', entries })} />}
        <IconButton icon="close" label={words.clearSelection} onClick={selection.clear} />
      </div>
    </>
  )
}

/** In words where there is room for them. */
function Deed({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return useMedia('(max-width: 639px)')
    ? <IconButton icon={icon} label={label} onClick={onClick} />
    : <Button variant="quiet" icon={icon} onClick={onClick}>{label}</Button>
}
