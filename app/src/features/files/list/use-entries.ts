import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { FilesAddress } from '#features/files/address.ts'
import type { Entry } from '#features/files/names/entry.ts'
import type { FileSource } from '#features/files/source.ts'
import { entriesOf, listQuery } from './list-query.ts'

export interface Entries {
  state: { step: 'loading' } | { step: 'failed'; error: unknown } | { step: 'ready' }
  /** What has been read, and fits what is sought. */
  entries: readonly Entry[]
  hasMore: boolean
  isBusy: boolean
  isRefreshing: boolean
  /** Whether the search finds names that hold the words anywhere; else only those that begin with them. */
  findsAnywhere: boolean
  readMore: () => void
  retry: () => void
}

/**
 * The entries of a folder. Once all of them are read the search looks through them here; while there are more the
 * server looks, and it knows beginnings only.
 */
export function useEntries(source: FileSource, address: FilesAddress): Entries {
  const whole = useInfiniteQuery(listQuery(source, { ...address, search: '' }))
  const isWhole = whole.data !== undefined && !whole.hasNextPage
  const isAsked = address.search !== '' && whole.data !== undefined && !isWhole
  const sought = useInfiniteQuery({ ...listQuery(source, address), enabled: isAsked })
  const query = isAsked ? sought : whole
  const { fetchNextPage, refetch } = query
  const entries = useMemo(() => {
    const all = entriesOf(query.data)
    const wanted = isAsked ? '' : address.search.toLowerCase()
    return wanted === '' ? all : all.filter(({ name }) => name.toLowerCase().includes(wanted))
  }, [query.data, isAsked, address.search])
  return {
    state: query.isPending ? { step: 'loading' } : query.isError && !query.data ? { step: 'failed', error: query.error } : { step: 'ready' },
    entries,
    hasMore: query.hasNextPage,
    isBusy: query.isFetching,
    isRefreshing: query.isFetching && !query.isFetchingNextPage && !query.isPending,
    findsAnywhere: !isAsked,
    readMore: useCallback(() => void fetchNextPage(), [fetchNextPage]),
    retry: useCallback(() => void refetch(), [refetch]),
  }
}
