import { readFileSync } from 'node:fs'

export interface Usage {
  /** Processor time since the process began. */
  cpuMs: number
  /** Memory of the machine it holds. */
  residentBytes: number
}

const tickMs = 10
const pageBytes = 4096

/** Reads what a process has used, where the system shows it (Linux); undefined elsewhere and when the process has ended. */
export function readUsage(pid: number): Usage | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The program's name stands in brackets and may hold anything; fields are counted behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs, residentBytes: Number(fields[21]) * pageBytes }
  } catch {
    return undefined
  }
}
