import type { Clock } from '#contract/clock.ts'
import type { LogFields, Logger, LogLevel } from '#contract/logger.ts'

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

// An error is written with its causes and without what it may carry besides: request bodies, statements' values.
function plainError(error: Error, depth = 0): Record<string, unknown> {
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code ?? (error as { sqlstate?: unknown }).sqlstate
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(depth === 0 ? { stack } : {}),
    ...(cause instanceof Error && depth < 4 ? { cause: plainError(cause, depth + 1) } : {}),
  }
}

const plain = (_key: string, value: unknown): unknown => {
  if (value instanceof Error) return plainError(value)
  return typeof value === 'bigint' ? String(value) : value
}

export interface JsonLoggerOptions {
  clock: Clock
  /** Takes one line, without its newline. */
  write(line: string, level: LogLevel): void
  /** Lines below are dropped. Default `info`. */
  level?: LogLevel
}

/** Makes a logger of one JSON object a line: `time`, `level`, `message`, then the fields. */
export function createJsonLogger({ clock, write, level = 'info' }: JsonLoggerOptions): Logger {
  const log = (at: LogLevel) => (message: string, fields?: LogFields) => {
    if (ranks[at] < ranks[level]) return
    write(JSON.stringify({ time: new Date(clock.now()).toISOString(), level: at, message, ...fields }, plain), at)
  }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}
