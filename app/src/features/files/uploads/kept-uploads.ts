/** What is needed to go on with an upload after the page was loaded anew: the server's address for it, and how to know its file again. */
export interface KeptUpload {
  id: string
  bucket: string
  path: string
  givenName: string
  sizeBytes: number
  /** Milliseconds since the epoch, as the file says. */
  lastModified: number
  type: string
  isReplacing: boolean
  url: string
  sentBytes: number
  /** Milliseconds since the epoch. */
  startedAt: number
}

/** Hosted projects forget an upload after a day. */
const lifetimeMs = 24 * 60 * 60_000

export interface KeptUploads {
  list: () => KeptUpload[]
  keep: (upload: KeptUpload) => void
  forget: (id: string) => void
}

const isKept = (value: unknown): value is KeptUpload => {
  const { id, url, path, bucket, startedAt } = (value ?? {}) as Partial<KeptUpload>
  return typeof id === 'string' && typeof url === 'string' && typeof path === 'string' && typeof bucket === 'string' && typeof startedAt === 'number'
}

/** Keeps unfinished uploads of one person in this browser. The key holds project and person: nobody else's are ever read. */
export function createKeptUploads(scope: readonly string[], storage: Storage): KeptUploads {
  const key = `portico.uploads.${scope.join('.')}`
  const list = (): KeptUpload[] => {
    try {
      const kept: unknown = JSON.parse(storage.getItem(key) ?? '[]')
      return Array.isArray(kept) ? kept.filter(isKept).filter(({ startedAt }) => Date.now() - startedAt < lifetimeMs) : []
    } catch {
      return []
    }
  }
  const write = (uploads: KeptUpload[]) => {
    try {
      if (uploads.length === 0) storage.removeItem(key)
      else storage.setItem(key, JSON.stringify(uploads))
    } catch {
      // Full: the upload itself goes on, only a reload would begin it anew.
    }
  }
  return {
    list,
    keep: (upload) => write([...list().filter(({ id }) => id !== upload.id), upload]),
    forget: (id) => write(list().filter((upload) => upload.id !== id)),
  }
}

const lockName = (id: string) => `portico.upload.${id}`

/** Says to other tabs that this one is at work on an upload. Gives what ends it. */
export function holdUpload(id: string): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  // Without locks another tab may offer to go on with it; the server then lets only one of them write.
  void globalThis.navigator?.locks?.request(lockName(id), { ifAvailable: true }, (lock) => (lock ? released : undefined))
  return () => release()
}

/** Which uploads no tab is at work on. */
export async function listAbandoned(uploads: readonly KeptUpload[]): Promise<KeptUpload[]> {
  const held = (await globalThis.navigator?.locks?.query())?.held?.map(({ name }) => name) ?? []
  return uploads.filter(({ id }) => !held.includes(lockName(id)))
}
