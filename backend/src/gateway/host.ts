import { isIP } from 'node:net'

/** Whether a host name, without port, means this machine and nothing else. */
export function isLoopbackHost(name: string): boolean {
  const bare = name.replace(/^\[|\]$/g, '').toLowerCase()
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true
  if (isIP(bare) === 4) return bare.startsWith('127.')
  return bare === '::1'
}

/**
 * Makes the check of the `Host` header. A box on loopback answers only loopback's names: else any page could point a name of
 * its own at 127.0.0.1 and read what the box answers (DNS rebinding).
 *
 * @param boundHost the address the box listens on; `0.0.0.0` and other addresses are reached under names it cannot know.
 */
export function createHostCheck(boundHost: string, allowedHosts: readonly string[]): (hostname: string) => boolean {
  if (!isLoopbackHost(boundHost)) return () => true
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()))
  return (hostname) => isLoopbackHost(hostname) || allowed.has(hostname.toLowerCase())
}
