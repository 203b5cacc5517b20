import type { Reply } from './wire/reply.ts'
import type { Request } from './wire/request.ts'

export interface RunOptions {
  /** 0: no limit. */
  timeoutMs: number
}

/** A session held by one transaction. */
export interface Lane {
  run(request: Request, options: RunOptions): Promise<Reply>
}

/** What an engine gives: sessions, one request at a time or held for a while. */
export interface Sessions {
  /** Runs one request that leaves its session idle again. */
  once(request: Request, options: RunOptions): Promise<Reply>
  /** Gives a session to `work` alone. It must be left idle: outside a transaction. */
  hold<T>(work: (lane: Lane) => Promise<T>): Promise<T>
  /** Drops every named statement, after the schema changed. */
  forgetStatements(): void
  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
