import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { firstSort } from '#features/files/address.ts'
import { FilesFailure } from '#features/files/files-failure.tsx'
import { entriesOf, listQuery } from '#features/files/list/list-query.ts'
import type { Entry } from '#features/files/names/entry.ts'
import { foldersDownTo, nameOf } from '#features/files/names/object-name.ts'
import { useFileSource } from '#features/files/source.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import css from './actions.module.css'
import type { Place } from './deeds.ts'

/** Walks through the folders of a bucket; where one stands is what is chosen. */
export function FolderPicker({ place, hidden, onChange }: { place: Place; hidden: readonly Entry[]; onChange: (folder: string) => void }) {
  const { files: words } = useMessages()
  return (
    <div>
      <nav className={css.pathBar} aria-label={words.chosenFolder}>
        {['', ...foldersDownTo(place.folder)].map((folder) => (
          <span key={folder} className={css.pathBar}>
            {folder !== '' && <Icon name="chevron-right" size={12} />}
            <button type="button" className={css.crumb} aria-current={folder === place.folder ? 'location' : undefined} onClick={() => onChange(folder)}>
              {folder === '' ? place.bucket : nameOf(folder)}
            </button>
          </span>
        ))}
      </nav>
      <Folders place={place} hidden={hidden} onChange={onChange} />
    </div>
  )
}

function Folders({ place, hidden, onChange }: { place: Place; hidden: readonly Entry[]; onChange: (folder: string) => void }) {
  const { files: words } = useMessages()
  const source = useFileSource()
  const query = useInfiniteQuery(listQuery(source, { ...place, search: '', sort: firstSort }))
  const folders = useMemo(() => entriesOf(query.data).filter(({ kind, path }) => kind === 'folder' && !hidden.some((entry) => entry.path === path)), [query.data, hidden])
  if (query.isPending) return <div className={css.folders}><Skeleton label={words.loading} lines={5} /></div>
  if (query.isError) return <FilesFailure error={query.error} onRetry={() => void query.refetch()} layout="line" />
  if (folders.length === 0 && !query.hasNextPage) return <p className={`${css.folders} ${css.emptyFolders}`}>{words.noFolders}</p>
  return (
    <ul className={css.folders} aria-label={words.folders}>
      {folders.map(({ path, name }) => (
        <li key={path}>
          <button type="button" className={css.folder} onClick={() => onChange(path)}>
            <Icon name="folder" />
            <span className={css.folderName}>{name}</span>
            <Icon name="chevron-right" size={14} />
          </button>
        </li>
      ))}
      {query.hasNextPage && <li><Button variant="quiet" wide pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>{words.showMore}</Button></li>}
    </ul>
  )
}
