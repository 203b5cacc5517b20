import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { unwrap } from '#api/unwrap.ts'
import { useFileSource, type FileSource } from '#features/files/source.ts'

/** What one can do with files. `move` is renaming too; `replace` is writing over what is there. */
export type Deed = 'upload' | 'replace' | 'move' | 'copy' | 'delete'

/** What the person's role may do with `storage.objects` at all, by the project's description. */
type Granted = Readonly<Record<Deed, boolean>>

interface Described {
  schemas?: { name: string; relations?: { name: string; can: { select: boolean; insert: boolean; update: boolean; delete: boolean } }[] }[]
}

/** Without a description everything is offered, and the project's own answer decides. */
const everything: Granted = { upload: true, replace: true, move: true, copy: true, delete: true }

/**
 * Reads from `portico_describe()` whether any policy lets this role insert, update or delete files at all. Which files,
 * only the policies know: they are asked by trying.
 */
export const grantedQuery = (source: FileSource) =>
  queryOptions({
    queryKey: [...source.scope, 'granted'] as const,
    staleTime: 5 * 60_000,
    retry: false,
    queryFn: async (): Promise<Granted> => {
      const { schemas } = (await unwrap(source.client.rpc('portico_describe', { schemas: ['storage'] }))) as Described
      const can = schemas?.find(({ name }) => name === 'storage')?.relations?.find(({ name }) => name === 'objects')?.can
      if (!can) return everything
      return { upload: can.insert, replace: can.insert && can.update, move: can.select && can.update, copy: can.select && can.insert, delete: can.select && can.delete }
    },
  })

/** What was refused since the page was loaded, by person: `upload attachments/2026`. */
const refused = new Map<string, ReadonlySet<string>>()
const listeners = new Set<() => void>()
const none: ReadonlySet<string> = new Set()

const refusalOf = (deed: Deed, bucket: string, path: string): string => `${deed} ${bucket}/${path}`

/** Remembers that the policies refused a deed here, so that it is not offered again in this visit. */
export function rememberRefusal({ scope }: FileSource, deed: Deed, at: { bucket: string; path: string }): void {
  const key = scope.join(' ')
  refused.set(key, new Set([...(refused.get(key) ?? none), refusalOf(deed, at.bucket, at.path)]))
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export interface Permissions {
  /** `path`: the folder to upload to, else the file or folder itself. */
  may: (deed: Deed, path: string) => boolean
  refuse: (deed: Deed, path: string) => void
}

/** What may be offered in a bucket: what the role is granted, less what was refused at the same place before. */
export function usePermissions(bucket: string): Permissions {
  const source = useFileSource()
  const { data: granted = everything } = useQuery(grantedQuery(source))
  const mine = useSyncExternalStore(subscribe, () => refused.get(source.scope.join(' ')) ?? none)
  const refuse = useCallback((deed: Deed, path: string) => rememberRefusal(source, deed, { bucket, path }), [source, bucket])
  return useMemo(() => ({ may: (deed, path) => granted[deed] && !mine.has(refusalOf(deed, bucket, path)), refuse }), [granted, mine, bucket, refuse])
}
