const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;', '`': '&#96;' }

/** Makes a text safe inside HTML, in text and in attributes with or without quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"'`]/g, (sign) => entities[sign] ?? sign)

const urlAttributes = new Set(['href', 'src', 'action', 'formaction', 'cite', 'background', 'poster', 'data', 'xlink:href'])

/** The attribute whose value is being written at the end of a text; undefined outside of one. */
function openAttribute(written: string): { name: string; value: string } | undefined {
  const tag = written.slice(written.lastIndexOf('<') + 1)
  if (written.lastIndexOf('<') < 0 || tag.includes('>')) return undefined
  const found = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]*))$/.exec(tag)
  return found ? { name: (found[1] ?? '').toLowerCase(), value: found[2] ?? found[3] ?? found[4] ?? '' } : undefined
}

const isInside = (written: string, element: string): boolean => {
  const lower = written.toLowerCase()
  return lower.lastIndexOf(`<${element}`) > lower.lastIndexOf(`</${element}`)
}

const isSafeScheme = (address: string): boolean => {
  const scheme = /^\s*([a-z][a-z0-9+.-]*)\s*:/i.exec(address)?.[1]
  return scheme === undefined || !/^(javascript|vbscript|data)$/i.test(scheme)
}

// `&amp;` and the like are the only entities the value of an attribute written so far can hold.
const asAddress = (written: string): string => written.replaceAll('&amp;', '&').replaceAll('&#34;', '"').replaceAll('&#39;', "'")

/**
 * Adds a value to HTML written so far, as its place demands: escaped in text and attributes, percent-encoded behind
 * the `?` of a link, and never able to begin a link that runs code.
 *
 * @see Go's html/template, which the hosted backend's mails are written with
 */
export function insertIntoHtml(written: string, value: string): string {
  const attribute = openAttribute(written)
  // Nobody's text belongs into code: there is no escaping that is right everywhere in it.
  if (isInside(written, 'script') || isInside(written, 'style') || /^(?:on|style$)/.test(attribute?.name ?? '')) return written
  if (!attribute || !urlAttributes.has(attribute.name)) return written + escapeHtml(value)
  if (/[?#]/.test(asAddress(attribute.value))) return written + escapeHtml(encodeURIComponent(value))
  if (attribute.value.trim() === '' && !isSafeScheme(value)) return `${written}#blocked`
  return written + escapeHtml(value.replaceAll(/[\s]/g, '%20'))
}
