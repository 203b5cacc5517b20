const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', middot: '·', rarr: '→' }

function decodeEntity(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase()
  if (!name.startsWith('#')) return named[name] ?? entity
  const point = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return point > 0 && point < 0x110000 ? String.fromCodePoint(point) : entity
}

const decode = (text: string): string => text.replace(/&(?:#\d+|#x[0-9a-f]+|[a-z]+);/gi, decodeEntity)

function linkText(link: string): string {
  const address = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(link)
  const target = address?.[1] ?? address?.[2] ?? ''
  const words = link.replace(/<[^>]*>/g, '').trim()
  return words === '' || words === target ? target : `${words}: ${target}`
}

/** The text part of a mail, from its HTML: links keep their address, blocks their lines. */
export function textOfHtml(html: string): string {
  const body = html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(style|script|head|title)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^>]*\bhref\b[^>]*>[\s\S]*?<\/a\s*>/gi, linkText)
    .replace(/<\/(?:p|h[1-6]|table|ul|ol|blockquote)\s*>/gi, '\n\n')
    .replace(/<br\s*\/?>|<\/(?:div|tr|li)\s*>/gi, '\n')
    .replace(/<li\b[^>]*>/gi, '- ')
    .replace(/<[^>]*>/g, '')
  return decode(body)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
