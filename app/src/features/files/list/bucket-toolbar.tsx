import { useEffect, useRef, useState } from 'react'
import { filesPath, type Sort } from '#features/files/address.ts'
import { foldersDownTo, nameOf } from '#features/files/names/object-name.ts'
import { readChosen } from '#features/files/uploads/dropped-files.ts'
import { useMedia } from '#ui/use-media.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { Icon } from '#ui/icon.tsx'
import { Link } from '#ui/link.tsx'
import { Menu } from '#ui/menu.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { useToast } from '#ui/toaster.tsx'
import type { BucketView } from './bucket-screen.tsx'
import css from './bucket-screen.module.css'

/** Where one is, and what one can do here. */
export function BucketToolbar({ shared, mayUpload }: { shared: BucketView; mayUpload: boolean }) {
  const { files: words } = useMessages()
  const isNarrow = useMedia('(max-width: 639px)')
  return (
    <header className={css.toolbar}>
      <Crumbs shared={shared} />
      <div className={css.tools} role="toolbar" aria-label={words.tools}>
        <Search shared={shared} />
        <SortMenu shared={shared} />
        {mayUpload && !isNarrow && <Button variant="quiet" icon="folder" onClick={() => shared.onTask({ kind: 'new-folder' })}>{words.newFolder}</Button>}
        <More shared={shared} mayUpload={mayUpload && isNarrow} />
        {mayUpload && <UploadMenu shared={shared} isNarrow={isNarrow} />}
      </div>
    </header>
  )
}

/** The way down from all buckets; the last step is where one is. */
function Crumbs({ shared: { address, bucket } }: { shared: BucketView }) {
  const { files: words } = useMessages()
  const folders = foldersDownTo(address.folder)
  const here = address.folder === '' ? bucket.id : nameOf(address.folder)
  const above = address.folder === '' ? [] : [{ label: bucket.id, folder: '' }, ...folders.slice(0, -1).map((folder) => ({ label: nameOf(folder), folder }))]
  return (
    <div className={css.heading}>
      <nav aria-label={words.wayHere} className={css.crumbs}>
        <Link href="/files" variant="plain" className={css.crumb}>{words.title}</Link>
        {above.map(({ label, folder }) => (
          <span key={folder} className={css.step}>
            <Icon name="chevron-right" size={12} className={css.separator} />
            <Link href={filesPath(bucket.id, { folder, sort: address.sort })} variant="plain" className={css.crumb} title={label}>{label}</Link>
          </span>
        ))}
      </nav>
      <Icon name="chevron-right" size={12} className={css.separator} />
      <h1 className={css.name} tabIndex={-1} title={here}>{here}</h1>
      {bucket.isPublic && address.folder === '' && <Chip tone="info">{words.publicBucket}</Chip>}
    </div>
  )
}

const pauseMs = 250

function Search({ shared: { address, see } }: { shared: BucketView }) {
  const { files: words } = useMessages()
  const [text, setText] = useState(address.search)
  const [seen, setSeen] = useState(address.search)
  // The address may change on its own: back, a link, "clear".
  if (seen !== address.search) {
    setSeen(address.search)
    setText(address.search)
  }
  useEffect(() => {
    if (text === address.search) return
    const timer = setTimeout(() => see({ search: text }), pauseMs)
    return () => clearTimeout(timer)
  }, [text, address.search, see])
  return <SearchField className={css.search} label={words.findHere} placeholder={words.find} value={text} onChange={setText} />
}

function SortMenu({ shared: { address, see } }: { shared: BucketView }) {
  const { files: words } = useMessages()
  const ways: { id: string; label: string; sort: Sort }[] = [
    { id: 'name', label: words.sortName, sort: { column: 'name', isDescending: false } },
    { id: 'name-z', label: words.sortNameBack, sort: { column: 'name', isDescending: true } },
    { id: 'newest', label: words.sortNewest, sort: { column: 'updated_at', isDescending: true } },
    { id: 'oldest', label: words.sortOldest, sort: { column: 'updated_at', isDescending: false } },
    { id: 'added', label: words.sortAdded, sort: { column: 'created_at', isDescending: true } },
  ]
  return (
    <Menu
      label={words.sort}
      placement="bottom end"
      trigger={<IconButton icon="sort" label={words.sort} />}
      groups={[{
        heading: words.sort,
        items: ways.map(({ id, label, sort }) => ({ id, label, checked: sort.column === address.sort.column && sort.isDescending === address.sort.isDescending, onSelect: () => see({ sort }) })),
      }]}
    />
  )
}

function More({ shared, mayUpload }: { shared: BucketView; mayUpload: boolean }) {
  const { files: words } = useMessages()
  const toast = useToast()
  const copyLink = async () => {
    await navigator.clipboard.writeText(location.href)
    toast({ text: words.addressCopied })
  }
  return (
    <Menu
      label={words.more}
      placement="bottom end"
      trigger={<IconButton icon="more" label={words.more} pending={shared.list.isRefreshing} />}
      groups={[{
        items: [
          ...(mayUpload ? [{ id: 'folder', icon: 'folder' as const, label: words.newFolder, onSelect: () => shared.onTask({ kind: 'new-folder' }) }] : []),
          { id: 'refresh', icon: 'refresh', label: words.refresh, onSelect: () => shared.refresh() },
          { id: 'link', icon: 'link', label: words.copyAddress, onSelect: () => void copyLink() },
        ],
      }]}
    />
  )
}

// Known to every browser, and to no type of React's.
const wholeFolders = { webkitdirectory: '' }

function UploadMenu({ shared: { planning, address }, isNarrow }: { shared: BucketView; isNarrow: boolean }) {
  const { files: words } = useMessages()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = (field: HTMLInputElement) => {
    planning.offer(readChosen(field.files), address.folder)
    field.value = ''
  }
  return (
    <>
      <input ref={files} type="file" multiple hidden aria-label={words.chooseFiles} onChange={(event) => take(event.currentTarget)} />
      <input ref={folder} type="file" {...wholeFolders} hidden aria-label={words.chooseFolder} onChange={(event) => take(event.currentTarget)} />
      <Menu
        label={words.upload}
        placement="bottom end"
        trigger={<Button variant="primary" icon="upload" iconAfter={isNarrow ? undefined : 'chevron-down'} pending={planning.isChecking}>{words.upload}</Button>}
        groups={[{
          items: [
            { id: 'files', icon: 'file', label: words.chooseFiles, onSelect: () => files.current?.click() },
            { id: 'folder', icon: 'folder', label: words.chooseFolder, onSelect: () => folder.current?.click() },
          ],
        }]}
      />
    </>
  )
}
