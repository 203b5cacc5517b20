import type { Service } from '#contract/service.ts'

/** Where a service hangs. The gateway knows services by nothing else. */
export interface Mount {
  /** Leading slash, no trailing one: `/rest/v1`. */
  prefix: string
  service: Service
  /** Whether a request to this path, below the prefix, is refused without an API key. */
  needsKey(path: string): boolean
  /** A person's token may stand where the key does: hosted Realtime is asked that way. Default false. */
  takesTokenAsKey?: boolean
  /** An API key that is none of ours counts as none instead of being refused: functions may be called with keys of their own. Default false. */
  takesUnknownKeys?: boolean
  maxBodyBytes: number
  /** What callers without the secret key may send. Default `maxBodyBytes`. Whoever has the public key may be anyone. */
  maxPublicBodyBytes?: number
}

/** Finds the mount of a path and what is left of the path below it, with a leading slash. */
export function findMount(mounts: readonly Mount[], pathname: string): { mount: Mount; path: string } | undefined {
  for (const mount of mounts) {
    if (!pathname.startsWith(mount.prefix)) continue
    const rest = pathname.slice(mount.prefix.length)
    if (rest === '' || rest.startsWith('/')) return { mount, path: rest === '' ? '/' : rest }
  }
  return undefined
}
