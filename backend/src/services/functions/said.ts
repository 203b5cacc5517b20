import { StringDecoder } from 'node:string_decoder'
import type { Readable } from 'node:stream'
import type { LogLevel } from '#contract/logger.ts'

/** What comes out of a worker's standard output: what the function says, and what its first module tells the box. */
export interface Listener {
  /** One call of `console`, or one line written otherwise. */
  onSaid(level: LogLevel, text: string): void
  /** A message of the worker's first module: `ready`, `background`. */
  onTold(message: Readonly<Record<string, unknown>>): void
}

// A message is cut at the hosted length; a line that never ends is cut before it fills the memory.
const longestMessage = 10_000
const longestLine = 256 * 1024
// The hosted threshold: what a function says beyond it within ten seconds is dropped.
const mostEntries = 100
const periodMs = 10_000
// Read at most this much within a slice of time: a flood waits in its own worker, which stands still for as long.
const mostBytes = 256 * 1024
const sliceMs = 100

const levels = new Set<string>(['debug', 'info', 'warn', 'error'])

/** Cuts a message to the length that is kept. */
export const shorten = (text: string): string => (text.length <= longestMessage ? text : `${text.slice(0, longestMessage)} …`)

/** Makes the counter that lets only so many messages pass in a time, and says once how many it held back. */
export function createThreshold(say: Listener['onSaid'], now: () => number): Listener['onSaid'] {
  let startedAt = 0
  let count = 0
  return (level, text) => {
    if (now() - startedAt >= periodMs) {
      if (count > mostEntries) say('warn', `${count - mostEntries} messages were left out: ${mostEntries} in ${periodMs / 1000} s are kept.`)
      startedAt = now()
      count = 0
    }
    count += 1
    if (count <= mostEntries) say(level, text)
    else if (count === mostEntries + 1) say('warn', `More than ${mostEntries} messages in ${periodMs / 1000} s: what follows is left out.`)
  }
}

/** Reads a worker's output line by line. Lines that begin with the worker's own mark are frames of its first module. */
export function listenTo(stream: Readable, mark: string, { plainLevel, listener }: { plainLevel: LogLevel; listener: Listener }): void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let sliceStartedAt = 0
  let sliceBytes = 0

  // Deno's own words about a failure are several lines, written in one go.
  let plain: string[] = []
  const sayPlain = (): void => {
    const text = plain.join('\n').trimEnd()
    plain = []
    if (text.trim() !== '') listener.onSaid(plainLevel, text)
  }

  const takeLine = (line: string): void => {
    const at = line.indexOf(mark)
    // What was written without an end stands before the frame.
    if (at !== 0) plain.push(at < 0 ? line : line.slice(0, at))
    if (at < 0) return
    sayPlain()
    try {
      const { level, text, ...message } = JSON.parse(line.slice(at + mark.length)) as Record<string, unknown>
      if (typeof level === 'string' && levels.has(level) && typeof text === 'string') listener.onSaid(level as LogLevel, text)
      else listener.onTold(message)
    } catch {
      // Cut short by the end of the worker.
    }
  }

  const takeText = (text: string): void => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(line)
    if (rest.length > longestLine) {
      takeLine(rest)
      rest = ''
    }
    sayPlain()
  }

  stream.on('data', (chunk: Buffer) => {
    takeText(decoder.write(chunk))
    const now = performance.now()
    if (now - sliceStartedAt > sliceMs) {
      sliceStartedAt = now
      sliceBytes = 0
    }
    sliceBytes += chunk.byteLength
    if (sliceBytes <= mostBytes) return
    stream.pause()
    setTimeout(() => stream.resume(), sliceMs)
  })
  stream.on('end', () => {
    if (rest !== '') takeLine(rest)
    rest = ''
    sayPlain()
  })
}
