import { useCallback, useEffect, useRef, useState } from 'react'
import { AppError } from '#api/app-error.ts'
import { callFunction, whyNoAnswer, type FunctionCall } from '#api/function-call.ts'
import type { ProjectClient } from '#api/client.ts'
import { useConnection } from '#session/session.tsx'
import { readBody, readHead, type Reply, type ReplyBody, type ReplyHead } from './reply.ts'

const nothing: ReplyBody = { sizeBytes: 0, text: '', isCut: false, events: [], blob: undefined }

export interface FunctionCalling {
  reply: Reply
  /** Sends; a call under way is given up first. Gives the course's end. */
  send: (call: FunctionCall) => Promise<Reply>
  /** Gives the call under way up; the server is told, since the line closes. */
  stop: () => void
}

/** One call at a time, shown as it comes. Leaving the screen gives it up. */
export function useFunctionCall(): FunctionCalling {
  const connection = useConnection()
  const [reply, setReply] = useState<Reply>({ step: 'idle' })
  const underway = useRef<AbortController>(undefined)
  useEffect(() => () => underway.current?.abort(), [])

  const send = useCallback(async (call: FunctionCall) => {
    underway.current?.abort()
    const own = new AbortController()
    underway.current = own
    setReply({ step: 'waiting', startedAt: Date.now() })
    const end = await run(connection, call, { signal: own.signal, onReply: (next) => own === underway.current && setReply(next) })
    if (own === underway.current) setReply(end)
    return end
  }, [connection])
  const stop = useCallback(() => underway.current?.abort(), [])
  return { reply, send, stop }
}

interface Course {
  signal: AbortSignal
  onReply: (reply: Reply) => void
}

async function run(connection: ProjectClient, call: FunctionCall, { signal, onReply }: Course): Promise<Reply> {
  const start = performance.now()
  const elapsed = () => Math.round(performance.now() - start)
  let response: Response
  try {
    response = await callFunction(connection, call, signal)
  } catch (error) {
    if (error instanceof AppError) return { step: 'refused', error }
    return { step: 'unanswered', why: signal.aborted ? 'stopped' : await whyNoAnswer(connection), afterMs: elapsed() }
  }
  const head = readHead(response, elapsed())
  onReply({ step: 'receiving', head, body: nothing })
  return readOn(response, head, { signal, onReply, elapsed })
}

async function readOn(response: Response, head: ReplyHead, { signal, onReply, elapsed }: Course & { elapsed: () => number }): Promise<Reply> {
  let latest = nothing
  const onProgress = (body: ReplyBody) => {
    latest = body
    onReply({ step: 'receiving', head, body })
  }
  try {
    const { body, isTooLarge } = await readBody(response, head.kind, { elapsed, onProgress })
    return { step: 'done', head, body, end: isTooLarge ? 'too-large' : 'whole', totalMs: elapsed() }
  } catch {
    return { step: 'done', head, body: latest, end: signal.aborted ? 'stopped' : 'broken', totalMs: elapsed() }
  }
}
