import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useProject, useUser } from '#session/session.tsx'
import type { Reply } from './reply.ts'
import type { CallRequest } from './request.ts'

/** A call that was made while this page is open. Kept in memory alone: it may hold what a person would not store. */
export interface PastCall {
  id: number
  /** Milliseconds since the epoch. */
  at: number
  functionName: string
  request: CallRequest
  /** HTTP status; 0 when no answer came. */
  status: number
  totalMs: number
  sizeBytes: number
}

const kept = 30
const none: readonly PastCall[] = []

/** The latest calls, newest first, of one function or of all. */
export function useHistory(functionName?: string): { list: readonly PastCall[]; add: (name: string, request: CallRequest, reply: Reply) => void } {
  const queries = useQueryClient()
  const { id: projectId } = useProject()
  const { id: userId } = useUser()
  const { data = none } = useQuery<readonly PastCall[]>({
    queryKey: [projectId, userId, 'functions', 'history'],
    queryFn: () => none,
    initialData: none,
    staleTime: Infinity,
    gcTime: Infinity,
  })
  const add = useCallback((name: string, request: CallRequest, reply: Reply) => {
    if (reply.step !== 'done' && reply.step !== 'unanswered') return
    const facts = reply.step === 'done' ? { status: reply.head.status, totalMs: reply.totalMs, sizeBytes: reply.body.sizeBytes } : { status: 0, totalMs: reply.afterMs, sizeBytes: 0 }
    queries.setQueryData<readonly PastCall[]>([projectId, userId, 'functions', 'history'], (before = none) =>
      [{ id: (before[0]?.id ?? 0) + 1, at: Date.now(), functionName: name, request, ...facts }, ...before].slice(0, kept))
  }, [queries, projectId, userId])
  return { list: functionName === undefined ? data : data.filter((call) => call.functionName === functionName), add }
}
