import type { ReactNode } from 'react'
import { dataPath } from '#features/data/rows/address.ts'
import { useWords } from '#features/data/words.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { Menu, type MenuItem } from '#ui/menu.tsx'
import { useToast } from '#ui/toaster.tsx'
import { navigate } from 'wouter/use-browser-location'
import type { RecordViewProps } from './record-view.tsx'
import { viewSearch } from './record-panel.tsx'
import css from './record.module.css'

export interface RecordHeaderProps extends Pick<RecordViewProps, 'relation' | 'recordKey' | 'place' | 'neighbours' | 'onClose'> {
  title: string
  /** The relation's name above the title. */
  label: string
  onEdit?: (() => void) | undefined
  onDelete?: (() => void) | undefined
  duplicateHref?: string | undefined
  actions?: readonly MenuItem[]
  /** Who else is at it. */
  people?: ReactNode
}

/** The record's title, and what can be done with it; what destroys stands apart. */
export function RecordHeader(props: RecordHeaderProps) {
  const { title, label, place, neighbours, onClose, onEdit } = props
  const words = useWords()
  const go = (href: string | undefined) => href !== undefined && navigate(href)
  return (
    <header className={css.header}>
      <div className={css.bar}>
        <span className={css.kind}>{label}</span>
        {props.people}
        {place === 'panel' && (
          <>
            <IconButton icon="chevron-up" label={words.previousRecord} disabled={neighbours?.before === undefined} onClick={() => go(neighbours?.before)} />
            <IconButton icon="chevron-down" label={words.nextRecord} disabled={neighbours?.after === undefined} onClick={() => go(neighbours?.after)} />
          </>
        )}
        <PlaceButton {...props} />
        <RecordMenu {...props} />
        <IconButton icon="close" label={words.closeRecord} onClick={onClose} />
      </div>
      <div className={css.titleLine}>
        {place === 'page' ? <h1 className={css.title} tabIndex={-1}><bdi>{title || label}</bdi></h1> : <h2 className={css.title}><bdi>{title || '\u00A0'}</bdi></h2>}
        {onEdit && <Button variant="primary" icon="pencil" data-edit onClick={onEdit}>{words.edit}</Button>}
      </div>
    </header>
  )
}

function PlaceButton({ place, relation, recordKey }: RecordHeaderProps) {
  const words = useWords()
  const path = dataPath(relation.schema, relation.name, recordKey)
  const search = viewSearch()
  if (place === 'page') return <IconButton icon="collapse" label={words.openAsPanel} onClick={() => navigate(`${path}${search}`, { replace: true })} />
  return <IconButton icon="expand" label={words.openAsPage} onClick={() => navigate(`${path}${search}${search === '' ? '?' : '&'}page=full`, { replace: true })} />
}

function RecordMenu({ relation, recordKey, onDelete, duplicateHref }: RecordHeaderProps) {
  const words = useWords()
  const toast = useToast()
  const copyLink = async () => {
    await navigator.clipboard.writeText(`${location.origin}${dataPath(relation.schema, relation.name, recordKey)}`)
    toast({ text: words.linkCopied })
  }
  return (
    <Menu
      label={words.more}
      placement="bottom end"
      trigger={<IconButton icon="more" label={words.more} />}
      groups={[
        {
          items: [
            { id: 'link', icon: 'link', label: words.copyLink, onSelect: () => void copyLink() },
            ...(duplicateHref === undefined ? [] : [{ id: 'duplicate', icon: 'copy' as const, label: words.duplicate, onSelect: () => navigate(duplicateHref) }]),
          ],
        },
        { items: onDelete ? [{ id: 'delete', icon: 'trash', label: words.delete, danger: true, onSelect: onDelete }] : [] },
      ]}
    />
  )
}
