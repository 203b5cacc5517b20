import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { Failure } from '#ui/failure.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

interface RemoteProps<T> {
  query: UseQueryResult<T>
  /** Read out while it is awaited: "Loading sessions". */
  loading: string
  /** What could not be shown. */
  failed: string
  children: (data: T) => ReactNode
}

/** What the server has to say, or the outline of it, or why it cannot be shown. */
export function Remote<T>({ query, loading, failed, children }: RemoteProps<T>) {
  const { errors } = useMessages()
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return <Skeleton label={loading} lines={4} />
  const { title, whatToDo, technical } = explain(query.error, errors)
  return (
    <Failure layout="line" title={failed} technical={technical} onRetry={() => void query.refetch()} retrying={query.isFetching}>
      {errors.sentences(title, whatToDo)}
    </Failure>
  )
}
