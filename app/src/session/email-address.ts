/** A mistake the browser itself can see; the server has the last word on an address. */
export type EmailFault = 'missing' | 'malformed'

/** Finds what is wrong with an address, undefined when it may be one. */
export function findEmailFault(email: string): EmailFault | undefined {
  const address = email.trim()
  if (address === '') return 'missing'
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(address) && address.length <= 255 ? undefined : 'malformed'
}
