import type { AppError } from '#api/app-error.ts'
import { toAppError } from '#api/unwrap.ts'
import type { FileSource } from '#features/files/source.ts'
import { folderOf, nameOf } from '#features/files/names/object-name.ts'
import { rememberRefusal } from '#features/files/permissions.ts'
import { holdUpload, listAbandoned, type KeptUploads } from './kept-uploads.ts'
import { giveUp, sendResumable, type Sending } from './send-resumable.ts'
import { sendWhole } from './send-whole.ts'
import { createSpeed } from './speed.ts'
import { isFinished, type HoldReason, type Upload, type UploadState, type UploadWish } from './upload.ts'

/** This many at once: more share the same line, and a phone's memory. */
const atOnce = 3
const announceEveryMs = 250
const lookAgainMs = 5000
/** A server that is busy for longer than this many looks, and takes nothing meanwhile, has failed. */
const busyAtMost = 24

/** What the list knows of an upload beyond what is shown. */
interface Work {
  wish: UploadWish | undefined
  url: string | undefined
  startedAt: number
  lastModified: number
  type: string
  isReplacing: boolean
  stop: AbortController | undefined
  release: (() => void) | undefined
  /** How often the server was too busy since it last took something. */
  busy: number
}

/**
 * All uploads of one person in one project. It outlives screens, a lost network and an ended session; what the page itself
 * does not outlive is kept to be continued.
 */
export class UploadList {
  #uploads: readonly Upload[] = []
  #source: FileSource
  readonly #kept: KeptUploads
  readonly #work = new Map<string, Work>()
  readonly #listeners = new Set<() => void>()
  readonly #storedListeners = new Set<(at: { bucket: string; path: string }) => void>()
  #isAnnouncing = false
  #lookingAgain: ReturnType<typeof setInterval> | undefined
  /** Once a project has shown that it takes no parts, files go whole. */
  #takesParts = true

  constructor(source: FileSource, kept: KeptUploads) {
    this.#source = source
    this.#kept = kept
  }

  /** Newest last; the same array until something changes. */
  readonly current = (): readonly Upload[] => this.#uploads

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Called for each file that stands where it was sent. */
  onStored(listener: (at: { bucket: string; path: string }) => void): () => void {
    this.#storedListeners.add(listener)
    return () => this.#storedListeners.delete(listener)
  }

  /** The session was opened anew: calls go through its client from now on. */
  use(source: FileSource): void {
    this.#source = source
  }

  /** Finds what was left behind by a page that is gone. */
  async recall(): Promise<void> {
    const known = new Set(this.#uploads.map(({ id }) => id))
    const abandoned = await listAbandoned(this.#kept.list().filter(({ id }) => !known.has(id)))
    for (const { id, url, startedAt, lastModified, type, isReplacing, ...shown } of abandoned) {
      if (this.#work.has(id)) continue
      this.#work.set(id, { wish: undefined, url, startedAt, lastModified, type, isReplacing, stop: undefined, release: undefined, busy: 0 })
      this.#uploads = [...this.#uploads, { ...shown, id, state: { step: 'lost' } }]
    }
    if (abandoned.length > 0) this.#announce()
  }

  add(wishes: readonly UploadWish[]): void {
    for (const wish of wishes) {
      if (this.#continueLost(wish)) continue
      const id = crypto.randomUUID()
      const { file, bucket, path, type, isReplacing } = wish
      this.#work.set(id, { wish, url: undefined, startedAt: Date.now(), lastModified: file.lastModified, type, isReplacing, stop: undefined, release: undefined, busy: 0 })
      this.#uploads = [...this.#uploads, { id, bucket, path, sizeBytes: file.size, sentBytes: 0, givenName: file.name, state: { step: 'waiting' } }]
    }
    this.#announce()
    this.#pump()
  }

  /** Gives a lost upload its file back. False when it is another file, or has changed since. */
  giveFile(id: string, file: File): boolean {
    const upload = this.#find(id)
    const work = this.#work.get(id)
    if (!upload || !work || upload.state.step !== 'lost' || !isSameFile(file, { ...upload, ...work })) return false
    work.wish = { file, bucket: upload.bucket, path: upload.path, type: work.type, isReplacing: work.isReplacing }
    this.#become(id, { step: 'waiting' })
    this.#pump()
    return true
  }

  pause(id: string): void {
    if (!this.#is(id, 'waiting', 'sending', 'held')) return
    this.#work.get(id)?.stop?.abort()
    this.#become(id, { step: 'paused' })
    this.#pump()
  }

  resume(id: string): void {
    if (!this.#is(id, 'paused', 'failed')) return
    this.#become(id, { step: 'waiting' })
    this.#pump()
  }

  /** Tries a failed one again under other terms: over what stands there, or beside it. */
  retryAs(id: string, terms: { isReplacing: boolean; path: string }): void {
    const work = this.#work.get(id)
    if (!work?.wish || !this.#is(id, 'failed')) return
    work.wish = { ...work.wish, ...terms }
    work.isReplacing = terms.isReplacing
    // Another place is another upload to the server.
    work.url = undefined
    this.#patch(id, { path: terms.path, sentBytes: 0, state: { step: 'waiting' } })
    this.#pump()
  }

  /** Stops it for good; the server is told to forget what it has. */
  cancel(id: string): void {
    const work = this.#work.get(id)
    const upload = this.#find(id)
    if (!work || !upload) return
    work.stop?.abort()
    if (work.url !== undefined && !isFinished(upload)) void giveUp(this.#source, work.url)
    this.#drop(id)
    this.#announce()
    this.#pump()
  }

  cancelAll(): void {
    for (const { id } of this.#uploads) this.cancel(id)
  }

  pauseAll(): void {
    for (const { id } of this.#uploads) this.pause(id)
  }

  resumeAll(): void {
    for (const { id } of this.#uploads) this.resume(id)
  }

  /** Takes what is done out of sight. */
  clearDone(): void {
    for (const upload of this.#uploads) if (isFinished(upload)) this.#drop(upload.id)
    this.#announce()
  }

  /** Lets go on what waits for the network or for its person. */
  goOn(reason: HoldReason): void {
    for (const { id, state } of this.#uploads) if (state.step === 'held' && state.reason === reason) this.#become(id, { step: 'waiting' })
    this.#pump()
  }

  #continueLost(wish: UploadWish): boolean {
    const lost = this.#uploads.find(({ id, bucket, path, state }) => state.step === 'lost' && bucket === wish.bucket && path === wish.path && this.#work.get(id) !== undefined)
    return lost !== undefined && this.giveFile(lost.id, wish.file)
  }

  #find = (id: string): Upload | undefined => this.#uploads.find((upload) => upload.id === id)

  #is(id: string, ...steps: readonly UploadState['step'][]): boolean {
    const upload = this.#find(id)
    return upload !== undefined && steps.includes(upload.state.step)
  }

  #patch(id: string, change: Partial<Upload>): void {
    this.#uploads = this.#uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload))
    this.#announce()
  }

  #become(id: string, state: UploadState): void {
    this.#patch(id, { state })
  }

  #drop(id: string): void {
    this.#work.get(id)?.release?.()
    this.#work.delete(id)
    this.#kept.forget(id)
    this.#uploads = this.#uploads.filter((upload) => upload.id !== id)
  }

  // Bytes go by many times a second; nobody reads that fast.
  #announce(): void {
    if (this.#isAnnouncing) return
    this.#isAnnouncing = true
    setTimeout(() => {
      this.#isAnnouncing = false
      for (const listener of this.#listeners) listener()
    }, announceEveryMs / 5)
  }

  #pump(): void {
    const busy = this.#uploads.filter(({ state }) => state.step === 'sending').length
    const next = this.#uploads.filter(({ state }) => state.step === 'waiting').slice(0, Math.max(0, atOnce - busy))
    for (const { id } of next) void this.#send(id)
  }

  async #send(id: string): Promise<void> {
    const work = this.#work.get(id)
    const upload = this.#find(id)
    if (!work?.wish || !upload) return
    const stop = new AbortController()
    work.stop = stop
    work.release ??= holdUpload(id)
    this.#become(id, { step: 'sending', bytesPerSecond: 0 })
    const sending: Sending = { ...work.wish, source: this.#source, url: work.url, signal: stop.signal, ...this.#reports(id, work, stop.signal) }
    try {
      await this.#deliver(sending)
      if (!stop.signal.aborted) this.#stored(id)
    } catch (cause) {
      if (!stop.signal.aborted) this.#fell(id, toAppError(cause))
    }
    this.#pump()
  }

  async #deliver(sending: Sending): Promise<void> {
    if (sending.file.size === 0 || !this.#takesParts) return sendWhole(sending)
    try {
      await sendResumable(sending)
    } catch (cause) {
      const { status } = toAppError(cause)
      // Where parts are not served at all, the whole file may be; a bucket that is missing is missing there too.
      if (status !== 404 && status !== 405 && status !== 501) throw cause
      await sendWhole(sending)
      this.#takesParts = false
    }
  }

  #reports(id: string, work: Work, signal: AbortSignal): Pick<Sending, 'onProgress' | 'onUrl'> {
    const speed = createSpeed()
    let toldAt = 0
    return {
      onProgress: (sentBytes) => {
        if (signal.aborted) return
        speed.add(sentBytes)
        work.busy = 0
        if (performance.now() - toldAt < announceEveryMs) return
        toldAt = performance.now()
        this.#patch(id, { sentBytes, state: { step: 'sending', bytesPerSecond: speed.read() } })
        this.#keep(id, work)
      },
      onUrl: (url) => {
        work.url = url
        this.#keep(id, work)
      },
    }
  }

  #keep(id: string, { url, wish: _wish, stop: _stop, release: _release, busy: _busy, ...facts }: Work): void {
    const upload = this.#find(id)
    if (!upload || url === undefined) return
    const { state: _state, ...shown } = upload
    this.#kept.keep({ ...shown, ...facts, url })
  }

  #stored(id: string): void {
    const upload = this.#find(id)
    const work = this.#work.get(id)
    if (!upload) return
    this.#kept.forget(id)
    work?.release?.()
    // The file is held no longer than it is needed.
    if (work) work.wish = undefined
    this.#patch(id, { sentBytes: upload.sizeBytes, state: { step: 'done' } })
    for (const listener of this.#storedListeners) listener({ bucket: upload.bucket, path: upload.path })
  }

  #fell(id: string, error: AppError): void {
    if (error.kind === 'offline') {
      this.#source.connection.connection.report('offline')
      this.#become(id, { step: 'held', reason: 'offline' })
      this.#lookAgain()
    } else if (error.kind === 'busy' && this.#mayWait(id)) {
      this.#become(id, { step: 'held', reason: 'busy' })
      this.#lookAgain()
    } else if (error.kind === 'signed-out') this.#become(id, { step: 'held', reason: 'signed-out' })
    else {
      if (error.kind === 'forbidden') this.#refused(id)
      this.#become(id, { step: 'failed', error })
    }
  }

  // What the policies refuse in a folder is not offered there again.
  #refused(id: string): void {
    const upload = this.#find(id)
    const isReplacing = this.#work.get(id)?.isReplacing === true
    if (upload) rememberRefusal(this.#source, isReplacing ? 'replace' : 'upload', { bucket: upload.bucket, path: folderOf(upload.path) })
  }

  #mayWait(id: string): boolean {
    const work = this.#work.get(id)
    if (!work) return false
    work.busy += 1
    return work.busy <= busyAtMost
  }

  // Some networks come back without a word.
  #lookAgain(): void {
    this.#lookingAgain ??= setInterval(() => {
      const isHeld = this.#uploads.some(({ state }) => state.step === 'held' && state.reason !== 'signed-out')
      if (isHeld) {
        this.goOn('offline')
        this.goOn('busy')
        return
      }
      clearInterval(this.#lookingAgain)
      this.#lookingAgain = undefined
    }, lookAgainMs)
  }
}

/** Whether this is the file an upload was begun with: as far as a page can know, by its name, its size and its time. */
export const isSameFile = (file: File, { givenName, path, sizeBytes, lastModified }: { givenName: string; path: string; sizeBytes: number; lastModified: number }): boolean =>
  (file.name === givenName || file.name === nameOf(path)) && file.size === sizeBytes && file.lastModified === lastModified
