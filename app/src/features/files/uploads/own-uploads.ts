import { useSyncExternalStore } from 'react'
import { useFileSource, type FileSource } from '#features/files/source.ts'
import { createDrafts } from '#session/drafts.ts'
import { isSignedIn } from '#session/session-state.ts'
import { createKeptUploads } from './kept-uploads.ts'
import { callForTray } from './tray-call.ts'
import { isFinished, type Upload } from './upload.ts'
import { UploadList } from './upload-list.ts'

/** One list a person and project, for as long as the page lives: screens come and go, another person never sees it. */
const lists = new Map<string, { list: UploadList; source: FileSource }>()

/** The uploads of the signed-in person. */
export function uploadsOf(source: FileSource): UploadList {
  const key = source.scope.join(' ')
  const known = lists.get(key)
  if (known) {
    if (known.source !== source) {
      known.source = source
      known.list.use(source)
      followSession(known.list, source)
    }
    return known.list
  }
  const list = new UploadList(source, createKeptUploads(source.scope.slice(0, 2), localStorage))
  lists.set(key, { list, source })
  followSession(list, source)
  followPage(list, source)
  void list.recall()
  return list
}

const isUnfinished = (upload: Upload): boolean => !isFinished(upload) && upload.state.step !== 'lost'

/** Held uploads go on when their person is back; leaving on purpose ends them. */
function followSession(list: UploadList, { session, userId }: FileSource): void {
  session.subscribe(() => {
    const state = session.current()
    if (isSignedIn(state) && state.user.id === userId) list.goOn('signed-out')
    if (state.step === 'signed-out' && state.reason === 'signed-out-here') list.cancelAll()
  })
}

/** While something is unfinished the page is not left, and nobody signs out, without being asked. */
function followPage(list: UploadList, { connection, scope: [projectId, userId] }: FileSource): void {
  const drafts = createDrafts(projectId, userId, sessionStorage)
  const askOnClose = (event: BeforeUnloadEvent) => event.preventDefault()
  let isAsking = false
  drafts.clear('uploads')
  list.subscribe(() => {
    const uploads = list.current()
    if (uploads.length > 0) callForTray()
    const isNeeded = uploads.some(isUnfinished)
    if (isNeeded === isAsking) return
    isAsking = isNeeded
    if (isNeeded) {
      drafts.save('uploads', true)
      addEventListener('beforeunload', askOnClose)
    } else {
      drafts.clear('uploads')
      removeEventListener('beforeunload', askOnClose)
    }
  })
  addEventListener('online', () => list.goOn('offline'))
  connection.connection.subscribe(() => void (connection.connection.current() === 'online' && list.goOn('offline')))
}

/** The list of the signed-in person, and what is in it, drawn anew when that changes. */
export function useUploads(): { list: UploadList; uploads: readonly Upload[] } {
  const source = useFileSource()
  const list = uploadsOf(source)
  return { list, uploads: useSyncExternalStore(list.subscribe, list.current) }
}
