import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { downloadFile } from '#features/files/actions/download.ts'
import { entryMenu } from '#features/files/actions/entry-menu.ts'
import type { Task } from '#features/files/actions/task.ts'
import { filesPath, type FilesAddress } from '#features/files/address.ts'
import { useFailureWords } from '#features/files/files-failure.tsx'
import type { Entry } from '#features/files/names/entry.ts'
import { folderOf, foldersDownTo, isWithin } from '#features/files/names/object-name.ts'
import { usePermissions } from '#features/files/permissions.ts'
import { useFileSource } from '#features/files/source.ts'
import { useUploads } from '#features/files/uploads/own-uploads.ts'
import { useUploadPlan } from '#features/files/uploads/use-upload-plan.tsx'
import { useMessages } from '#messages/messages.tsx'
import { useToast } from '#ui/toaster.tsx'
import { useBucket } from './bucket-query.ts'
import type { BucketView } from './bucket-screen.tsx'
import { bucketKey } from './list-query.ts'
import { useEntries } from './use-entries.ts'
import { useSelection, type FileSelection } from './use-selection.ts'

/** Joins what the screen of one folder needs. */
export function useBucketView(address: FilesAddress, { cameFrom, onTask }: { cameFrom: string | undefined; onTask: (task: Task | undefined) => void }): BucketView {
  const source = useFileSource()
  const bucket = useBucket(address.bucket)
  const list = useEntries(source, address)
  const selection = useSelection(list.entries, address.selected, cameFrom === undefined ? undefined : stepTowards(address.folder, cameFrom))
  const permissions = usePermissions(address.bucket)
  const planning = useUploadPlan(bucket, permissions.may('replace', address.folder))
  const queries = useQueryClient()
  const refresh = useCallback((otherBucket?: string) => {
    for (const id of new Set([address.bucket, otherBucket ?? address.bucket])) void queries.invalidateQueries({ queryKey: bucketKey(source, id) })
    void queries.invalidateQueries({ queryKey: [...source.scope, 'info', address.bucket] })
  }, [queries, source, address.bucket])
  const download = useDownload(source, address.bucket, onTask)
  const { files: words } = useMessages()
  useWrittenSelection(address, selection)
  useStoredUploads(address.bucket, refresh)

  const open = useCallback((entry: Entry) => navigate(entryHref(address, entry)), [address])
  const menuOf = useCallback(
    (entries: readonly Entry[]) => entryMenu({ entries, permissions, words, onOpen: open, onDownload: (wanted) => void download(wanted), onTask }),
    [permissions, words, open, download, onTask],
  )
  return {
    source, bucket, address, list, entries: list.entries, selection, permissions, planning, refresh, download, menuOf, onTask,
    enter: (folder) => navigate(filesPath(address.bucket, { folder, sort: address.sort })),
    see: (change) => navigate(filesPath(address.bucket, { ...address, ...change, selected: [] }), { replace: true }),
  }
}

/** The entry of a folder that leads on to a place below it: where one came from, when one goes up. */
const stepTowards = (folder: string, below: string): string | undefined =>
  isWithin(folder, below) && below !== folder ? foldersDownTo(below)[foldersDownTo(folder).length] : undefined

/** Where an entry leads: a folder is gone into, a file is shown over its list. */
export const entryHref = (address: FilesAddress, entry: Entry): string =>
  entry.kind === 'folder'
    ? filesPath(address.bucket, { folder: entry.path, sort: address.sort })
    : filesPath(address.bucket, { ...address, file: entry.name, selected: [] })

/** Goes one folder up; from the top to all buckets. */
export function goUp({ bucket, folder, sort }: FilesAddress): void {
  navigate(folder === '' ? '/files' : filesPath(bucket, { folder: folderOf(folder), sort }))
}

/** One file is saved as it comes; several are packed, which is a task of its own. */
function useDownload(source: BucketView['source'], bucket: string, onTask: (task: Task) => void): BucketView['download'] {
  const toast = useToast()
  const { errors } = useMessages()
  const wordsOf = useFailureWords()
  return useCallback(async (entries) => {
    const [entry] = entries
    if (entries.length !== 1 || entry?.kind !== 'file') return onTask({ kind: 'download', entries })
    try {
      await downloadFile(source, bucket, entry)
    } catch (error) {
      const { title, whatToDo } = wordsOf(error)
      toast({ text: errors.sentences(title, whatToDo), tone: 'danger' })
    }
    // `wordsOf` is made anew at each draw and says the same.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [source, bucket, onTask, toast, errors])
}

/** Keeps the selection in the address, so that it can be passed on and come back to. */
function useWrittenSelection(address: FilesAddress, { entries }: FileSelection): void {
  const names = useMemo(() => entries.map(({ name }) => name), [entries])
  const written = filesPath(address.bucket, { ...address, selected: names })
  // Read from the page, since the file shown over the list belongs to the address too.
  useEffect(() => {
    if (names.length === 0 && address.selected.length > 0 && entries.length === 0) return
    if (`${location.pathname}${location.search}` !== written && location.pathname === `/files/${encodeURIComponent(address.bucket)}`) history.replaceState(history.state, '', written)
  }, [written, names, entries, address])
}

const settleMs = 1200

/** Files that arrive show up: not each by itself, since hundreds may come in a row. */
function useStoredUploads(bucket: string, refresh: () => void): void {
  const { list } = useUploads()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = list.onStored((stored) => {
      if (stored.bucket !== bucket) return
      timer ??= setTimeout(() => {
        timer = undefined
        refresh()
      }, settleMs)
    })
    return () => {
      stop()
      if (timer !== undefined) {
        clearTimeout(timer)
        refresh()
      }
    }
  }, [list, bucket, refresh])
}
