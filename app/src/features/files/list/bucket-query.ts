import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useFileSource, type FileSource } from '#features/files/source.ts'

/** What a person may know of a bucket. Where the policies withhold it, only its name is known, and nothing of its limits. */
export interface KnownBucket {
  id: string
  isPublic: boolean
  /** Null: none but the server's own. */
  sizeLimitBytes: number | null
  allowedTypes: readonly string[] | null
  /** False when the bucket was named by the person and the project says nothing of it. */
  isListed: boolean
}

/** Buckets the policies on `storage.buckets` let one see; many projects have none for it, and then this is empty. */
export const bucketsQuery = (source: FileSource) =>
  queryOptions({
    queryKey: [...source.scope, 'buckets'] as const,
    staleTime: 60_000,
    queryFn: async (): Promise<KnownBucket[]> => {
      const found = await unwrap(source.client.storage.listBuckets())
      return found
        .filter(({ type }) => type === undefined || type === 'STANDARD')
        .map((bucket) => ({ id: bucket.id, isPublic: bucket.public, sizeLimitBytes: bucket.file_size_limit ?? null, allowedTypes: bucket.allowed_mime_types ?? null, isListed: true }))
        .sort((one, other) => one.id.localeCompare(other.id))
    },
  })

const namedBucket = (id: string): KnownBucket => ({ id, isPublic: false, sizeLimitBytes: null, allowedTypes: null, isListed: false })

/** What is known of one bucket; one that is not listed may still hold files the person sees. */
export function useBucket(id: string): KnownBucket {
  const source = useFileSource()
  const { data } = useQuery(bucketsQuery(source))
  return data?.find((bucket) => bucket.id === id) ?? namedBucket(id)
}

const storageKey = ({ scope: [projectId, userId] }: FileSource) => `portico.buckets.${projectId}.${userId}`

function readNamed(source: FileSource): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(source)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((name): name is string => typeof name === 'string') : []
  } catch {
    return []
  }
}

/** Buckets the person opened by name, remembered in this browser. */
export function useNamedBuckets(): { named: readonly string[]; add: (name: string) => void; remove: (name: string) => void } {
  const source = useFileSource()
  const [named, setNamed] = useState(() => readNamed(source))
  const keep = useCallback((next: string[]) => {
    setNamed(next)
    localStorage.setItem(storageKey(source), JSON.stringify(next))
  }, [source])
  return {
    named,
    add: (name) => keep([...new Set([...named, name])].sort()),
    remove: (name) => keep(named.filter((other) => other !== name)),
  }
}

/** Whether a failed call says that storage is not served here at all. */
export const isAbsent = (error: unknown): boolean => {
  const { status, code } = toAppError(error)
  return status === 501 || (status === 404 && code === '')
}
