import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

// Where a server's own network lies: what SQL asks for must not reach the machine's neighbours or a cloud's metadata.
const inside = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12],
  ['192.0.0.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15], ['224.0.0.0', 4], ['240.0.0.0', 4],
] as const) inside.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [['::', 127], ['64:ff9b::', 96], ['fc00::', 7], ['fe80::', 10], ['ff00::', 8]] as const) inside.addSubnet(network, prefix, 'ipv6')

const mappedFour = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i

/** Whether an IP address is of a private, local, link or multicast network. What is no address counts as one. */
export function isInsideAddress(address: string): boolean {
  const kind = isIP(address)
  if (kind === 4) return inside.check(address, 'ipv4')
  if (kind !== 6) return true
  const [, dotted, high, low] = mappedFour.exec(address) ?? []
  if (dotted !== undefined) return inside.check(dotted, 'ipv4')
  if (high !== undefined && low !== undefined) {
    const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
    return inside.check([a >> 8, a & 255, b >> 8, b & 255].join('.'), 'ipv4')
  }
  return inside.check(address, 'ipv6')
}

export class InsideAddress extends Error {
  constructor(host: string) {
    super(`${host} is an address of a private network, which requests from SQL may not reach`)
    this.name = 'InsideAddress'
  }
}

/** Resolves a name for a socket, and refuses it when any of its addresses lies inside: what is checked is what is connected to. */
export const lookupOutside: LookupFunction = (host, options, answer) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return answer(error, '', 0)
    const [first] = addresses
    if (first === undefined || addresses.some(({ address }) => isInsideAddress(address))) return answer(new InsideAddress(host), '', 0)
    if (options.all) answer(null, addresses)
    else answer(null, first.address, first.family)
  })
}
