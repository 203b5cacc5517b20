// Signs that take no room, or turn the direction of reading: with them one name looks like another.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu

const longest = 60

/** An application's name as it may be shown: in one line, without what cannot be seen, not too long. Empty when nothing is left. */
export function shownName(name: string): string {
  const plain = name.replace(/\s+/gu, ' ').replace(unseen, '').trim()
  const signs = [...plain]
  return signs.length > longest ? `${signs.slice(0, longest - 1).join('').trimEnd()}…` : plain
}

/** An application's picture, when it comes over TLS or from this machine; otherwise its initials stand there. */
export function shownPicture(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1')) ? address : undefined
}
