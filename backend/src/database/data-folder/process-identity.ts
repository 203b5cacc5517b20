import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Who a process is, so that another one that was later given the same number is not taken for it. */
export interface ProcessIdentity {
  pid: number
  /** Opaque; equal for the same process only. Empty where the system does not tell. */
  startedAt: string
  /** The machine, its boot and its process namespace: a pid means something only within it. */
  place: string
}

function attempt(read: () => string): string {
  try {
    return read().trim()
  } catch {
    return ''
  }
}

function startOf(pid: number): string {
  if (process.platform === 'linux') {
    // The second field is the command in parentheses and may hold anything; the start time is the 20th after it.
    const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  }
  return process.platform === 'win32' ? '' : attempt(() => execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }))
}

const place = (): string =>
  [hostname(), attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')), attempt(() => readlinkSync('/proc/self/ns/pid'))].join(' ')

export const ownIdentity = (): ProcessIdentity => ({ pid: process.pid, startedAt: startOf(process.pid), place: place() })

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether that very process still runs; undefined when it belongs to another machine, boot or container and cannot be asked. */
export function isRunning({ pid, startedAt, place: theirs }: ProcessIdentity): boolean | undefined {
  const here = place()
  if (theirs !== here) return bootOf(theirs) !== bootOf(here) && hostOf(theirs) === hostOf(here) ? false : undefined
  return exists(pid) && (startedAt === '' || startOf(pid) === startedAt)
}

const hostOf = (text: string): string => text.split(' ')[0] ?? ''
const bootOf = (text: string): string => text.split(' ')[1] ?? ''
