import type { Logger, LogLevel } from '#contract/logger.ts'

/** One thing a function said, or the box about it. */
export interface LogEntry {
  /** Grows by one; ask for what came after the last one seen. */
  seq: number
  /** ISO 8601. */
  at: string
  function: string
  level: LogLevel
  message: string
}

export interface LogQuery {
  /** Only this function's. */
  function?: string
  /** Only entries with a higher number. */
  after?: number
  /** The newest that many. */
  limit: number
}

export interface FunctionLog {
  write(entry: Omit<LogEntry, 'seq' | 'at'>): void
  /** Oldest first. */
  list(query: LogQuery): readonly LogEntry[]
}

// What is kept of everything that functions say; the box's own log has it all.
const keptEntries = 2000
const keptCharacters = 2_000_000

/** Keeps the last of what functions said, and puts each line into the box's log. */
export function createFunctionLog({ log, now }: { log: Logger; now(): number }): FunctionLog {
  const kept: LogEntry[] = []
  let characters = 0
  let seq = 0
  return {
    write({ function: name, level, message }) {
      seq += 1
      kept.push({ seq, at: new Date(now()).toISOString(), function: name, level, message })
      characters += message.length
      while (kept.length > keptEntries || characters > keptCharacters) characters -= kept.shift()?.message.length ?? 0
      log[level]('function', { function: name, said: message })
    },
    list: ({ function: name, after = 0, limit }) => kept.filter((entry) => entry.seq > after && (name === undefined || entry.function === name)).slice(-limit),
  }
}
