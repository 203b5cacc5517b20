import type { Entry } from '#features/files/names/entry.ts'
import type { Permissions } from '#features/files/permissions.ts'
import type { Messages } from '#messages/languages.ts'
import type { MenuGroup } from '#ui/menu.tsx'
import type { Task } from './task.ts'

export interface MenuParts {
  entries: readonly Entry[]
  permissions: Permissions
  words: Messages['files']
  onOpen: (entry: Entry) => void
  onDownload: (entries: readonly Entry[]) => void
  onTask: (task: Task) => void
}

/** What can be done with one entry, or with several: only what is not known to be refused. */
export function entryMenu({ entries, permissions, words, onOpen, onDownload, onTask }: MenuParts): MenuGroup[] {
  const [entry] = entries
  if (!entry) return []
  const isOne = entries.length === 1
  const may = (deed: 'move' | 'copy' | 'delete') => entries.every(({ path }) => permissions.may(deed, path))
  return [
    {
      items: [
        ...(isOne ? [{ id: 'open', label: entry.kind === 'folder' ? words.openFolder : words.preview, icon: entry.kind === 'folder' ? 'folder' as const : 'eye' as const, keys: 'enter', onSelect: () => onOpen(entry) }] : []),
        { id: 'download', label: isOne && entry.kind === 'file' ? words.download : words.downloadZip, icon: 'download', onSelect: () => onDownload(entries) },
        ...(isOne && entry.kind === 'file' ? [{ id: 'link', label: words.link, icon: 'link' as const, onSelect: () => onTask({ kind: 'link', entry }) }] : []),
      ],
    },
    {
      items: [
        ...(isOne && may('move') ? [{ id: 'rename', label: words.renameEntry, icon: 'pencil' as const, keys: 'f2', onSelect: () => onTask({ kind: 'rename', entry }) }] : []),
        ...(may('move') ? [{ id: 'move', label: words.move, icon: 'arrow-right' as const, onSelect: () => onTask({ kind: 'move', entries }) }] : []),
        ...(may('copy') ? [{ id: 'copy', label: words.copyTo, icon: 'copy' as const, onSelect: () => onTask({ kind: 'copy', entries }) }] : []),
      ],
    },
    { items: may('delete') ? [{ id: 'delete', label: words.delete, icon: 'trash' as const, keys: 'del', danger: true, onSelect: () => onTask({ kind: 'delete', entries }) }] : [] },
  ]
}
