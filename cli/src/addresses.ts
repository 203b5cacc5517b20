import { isLoopbackHost } from '@portico/backend'
import { CommandError } from './command-error.ts'

const usualPort = 54_321
const candidates = 30

/** Ports to try in turn: only the one that was asked for, else the usual one and those after it. */
export const portsToTry = (asked: number | undefined, usual = usualPort): readonly number[] =>
  asked === undefined ? Array.from({ length: candidates }, (_, step) => usual + step) : [asked]

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** The origin people use for a box that listens there. */
export function originOf(host: string, port: number): string {
  if (isAnyAddress(host)) return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** What must be said when the box can be reached from other machines. */
export const exposureNotes = (host: string): readonly string[] =>
  isLoopbackHost(host) ? [] : [`It listens on ${host}: other machines can reach it, unencrypted. Put a proxy with TLS before it.`]

/** Turns a refusal of the socket into a sentence. */
export function portError(error: unknown, host: string, ports: readonly number[]): unknown {
  const code = (error as NodeJS.ErrnoException).code
  const first = ports[0] ?? usualPort
  if (code === 'EADDRINUSE') {
    const taken = ports.length === 1 ? `Port ${first} is in use.` : `The ports ${first} to ${ports.at(-1)} are all in use.`
    return new CommandError(`${taken} Choose another one with --port.`, { cause: error })
  }
  if (code === 'EACCES') return new CommandError(`Port ${first} is not allowed to you. Choose one above 1023 with --port.`, { cause: error })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new CommandError(`This machine has no address ${host}.`, { cause: error })
  return error
}
