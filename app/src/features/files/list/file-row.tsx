import { memo, type MouseEvent } from 'react'
import type { Entry } from '#features/files/names/entry.ts'
import { endingOf } from '#features/files/names/file-kind.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { IconButton } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { classNames } from '#ui/class-names.ts'
import { DateTime } from '#ui/date-time.tsx'
import { Link } from '#ui/link.tsx'
import css from './file-grid.module.css'
import { KindIcon } from './kind-icon.tsx'

/** `tapped`: by a finger, which opens unless something is selected already. */
export type Press = 'alone' | 'added' | 'until' | 'tapped'

/** What a row can be asked for; the same functions for the list's whole life. */
export interface RowDeeds {
  hrefOf: (entry: Entry) => string
  open: (entry: Entry) => void
  /** A press on the row: alone, added, or as far as here. */
  press: (index: number, how: Press) => void
  /** Opens the menu of this entry, or of the selection it is in. */
  menu: (index: number, at: { x: number; y: number }) => void
}

export interface FileRowProps {
  entry: Entry
  index: number
  start: number
  height: number
  isChosen: boolean
  isFocusable: boolean
  deeds: RowDeeds
}

/** One entry. The name is a link; the rest of the row selects. */
export const FileRow = memo(function FileRow({ entry, index, start, height, isChosen, isFocusable, deeds }: FileRowProps) {
  const { files: words } = useMessages()
  const press = (event: MouseEvent) => deeds.press(index, howOf(event))
  const openMenu = (event: MouseEvent) => {
    event.preventDefault()
    // The menu key has no place of its own: the row's is taken.
    const row = event.currentTarget.getBoundingClientRect()
    deeds.menu(index, event.clientX === 0 && event.clientY === 0 ? { x: row.left + 48, y: row.bottom - 4 } : { x: event.clientX, y: event.clientY })
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid reads the keys of all rows
    <div
      role="row"
      data-index={index}
      data-folder={entry.kind === 'folder' ? entry.path : undefined}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      aria-label={entry.name}
      tabIndex={isFocusable ? 0 : -1}
      className={classNames(css.row, isChosen && css.chosen)}
      style={{ transform: `translateY(${start}px)`, height }}
      onClick={press}
      onDoubleClick={() => deeds.open(entry)}
      onContextMenu={openMenu}
    >
      <span role="gridcell" className={css.tick}>
        <Checkbox
          label={words.select(entry.name)}
          labelHidden
          checked={isChosen}
          tabIndex={-1}
          onChange={() => undefined}
          onClick={(event: MouseEvent) => {
            event.stopPropagation()
            deeds.press(index, event.shiftKey ? 'until' : 'added')
          }}
        />
      </span>
      <NameCell entry={entry} deeds={deeds} />
      <Facts entry={entry} />
      <span role="gridcell" className={css.more}>
        <IconButton
          icon="more"
          size="small"
          label={words.actionsOf(entry.name)}
          tabIndex={-1}
          aria-haspopup="menu"
          onClick={(event) => {
            event.stopPropagation()
            const { left, bottom } = event.currentTarget.getBoundingClientRect()
            deeds.menu(index, { x: left, y: bottom })
          }}
        />
      </span>
    </div>
  )
})

function howOf({ shiftKey, ctrlKey, metaKey, nativeEvent }: MouseEvent): Press {
  if ('pointerType' in nativeEvent && nativeEvent.pointerType === 'touch') return 'tapped'
  return shiftKey ? 'until' : ctrlKey || metaKey ? 'added' : 'alone'
}

function NameCell({ entry, deeds }: { entry: Entry; deeds: RowDeeds }) {
  const follow = (event: MouseEvent) => {
    // With a key held the press selects, as everywhere else in the row.
    if (event.shiftKey || event.ctrlKey || event.metaKey) event.preventDefault()
    else event.stopPropagation()
  }
  return (
    <span role="gridcell" className={css.nameCell}>
      <KindIcon entry={entry} className={entry.kind === 'folder' ? css.folderIcon : css.icon} />
      <span className={css.names}>
        <Link href={deeds.hrefOf(entry)} variant="plain" className={css.name} tabIndex={-1} title={entry.name} draggable={false} onClick={follow}>
          {entry.name}
        </Link>
        {entry.kind === 'file' && <Below entry={entry} />}
      </span>
    </span>
  )
}

/** On small screens, where size and date have no column. */
function Below({ entry }: { entry: Extract<Entry, { kind: 'file' }> }) {
  const format = useFormat()
  return (
    <span className={css.below}>
      {format.bytes(entry.sizeBytes)}
      {entry.updatedAt !== '' && <> · <DateTime value={entry.updatedAt} show="relative" /></>}
    </span>
  )
}

function Facts({ entry }: { entry: Entry }) {
  const format = useFormat()
  const { files: words } = useMessages()
  const isFile = entry.kind === 'file'
  return (
    <>
      <span role="gridcell" className={css.size}>{isFile ? format.bytes(entry.sizeBytes) : ''}</span>
      <span role="gridcell" className={css.type} title={isFile ? entry.type : undefined}>{isFile ? endingOf(entry.name).toUpperCase() || entry.type : words.folder}</span>
      <span role="gridcell" className={css.date}>{isFile && entry.updatedAt !== '' ? <DateTime value={entry.updatedAt} show="relative" /> : ''}</span>
    </>
  )
}
