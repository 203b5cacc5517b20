import { useMemo } from 'react'
import { useSearch } from 'wouter/use-browser-location'

export type SortColumn = 'name' | 'updated_at' | 'created_at'

export interface Sort {
  column: SortColumn
  isDescending: boolean
}

/** All that the address of a bucket says. */
export interface FilesAddress {
  bucket: string
  /** Empty at the bucket's top. */
  folder: string
  /** Only names that begin so. */
  search: string
  sort: Sort
  /** The file shown over the list, by its name in this folder. */
  file: string | undefined
  /** Selected entries, by name. */
  selected: readonly string[]
}

export const firstSort: Sort = { column: 'name', isDescending: false }

/** More than this many are not written into the address: it would grow beyond what servers and mails carry. */
export const writtenAtMost = 30

/** `/files/avatars?in=team/2026&file=ada.png` */
export function filesPath(bucket: string, address: Partial<Omit<FilesAddress, 'bucket'>> = {}): string {
  const { folder = '', search = '', sort = firstSort, file, selected = [] } = address
  const query = new URLSearchParams()
  if (folder !== '') query.set('in', folder)
  if (search !== '') query.set('find', search)
  if (sort.column !== firstSort.column || sort.isDescending) query.set('sort', `${sort.column}${sort.isDescending ? '.desc' : ''}`)
  if (file !== undefined) query.set('file', file)
  if (selected.length <= writtenAtMost) for (const name of selected) query.append('sel', name)
  const text = query.toString().replaceAll('%2F', '/')
  return `/files/${encodeURIComponent(bucket)}${text === '' ? '' : `?${text}`}`
}

/** Reads the query string of a bucket's address. Whatever does not make sense there is left out. */
export function readFilesAddress(bucket: string, search: string): FilesAddress {
  const query = new URLSearchParams(search)
  const [column = '', direction] = (query.get('sort') ?? '').split('.')
  return {
    bucket,
    folder: (query.get('in') ?? '').split('/').filter((part) => part !== '').join('/'),
    search: query.get('find') ?? '',
    sort: isSortColumn(column) ? { column, isDescending: direction === 'desc' } : firstSort,
    file: query.get('file') ?? undefined,
    selected: query.getAll('sel').slice(0, writtenAtMost),
  }
}

const isSortColumn = (text: string): text is SortColumn => text === 'name' || text === 'updated_at' || text === 'created_at'

/** The address of the bucket on the screen, drawn anew when it changes. */
export function useFilesAddress(bucket: string): FilesAddress {
  const search = useSearch()
  return useMemo(() => readFilesAddress(bucket, search), [bucket, search])
}
