import { malformedXml } from './errors.ts'

/** What an element may hold: text, elements by name, or nothing (left out). A list repeats its element. */
export type XmlContent = string | number | boolean | undefined | XmlElements
export interface XmlElements {
  readonly [name: string]: XmlContent | readonly XmlContent[]
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;', '\r': '&#13;' }

// XML has no spelling at all for most control characters.
const escape = (text: string): string =>
  text.replace(/[^\t\n\r\P{Cc}]|[\ufffe\uffff]/gu, '\ufffd').replace(/[&<>"'\r]/g, (mark) => marks[mark] ?? mark)

function writeElement(name: string, content: XmlContent | readonly XmlContent[]): string {
  if (Array.isArray(content)) return content.map((item: XmlContent) => writeElement(name, item)).join('')
  if (content === undefined) return ''
  if (typeof content !== 'object') return `<${name}>${escape(String(content))}</${name}>`
  return `<${name}>${writeElements(content as XmlElements)}</${name}>`
}

const writeElements = (elements: XmlElements): string => Object.entries(elements).map(([name, content]) => writeElement(name, content)).join('')

/** Writes a document. `namespace` goes to its root. */
export function writeXml(root: string, content: string | XmlElements, namespace?: string): string {
  const attribute = namespace === undefined ? '' : ` xmlns="${namespace}"`
  return `<?xml version="1.0" encoding="UTF-8"?><${root}${attribute}>${typeof content === 'string' ? escape(content) : writeElements(content)}</${root}>`
}

/** An element that was read. Attributes are left aside: no request of this protocol has any but a namespace. */
export interface XmlNode {
  name: string
  text: string
  children: readonly XmlNode[]
}

interface OpenNode extends XmlNode {
  children: XmlNode[]
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescape(text: string): string {
  return text.replace(/&([^;\s]{1,10});|&/g, (_, entity: string | undefined) => {
    const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(entity ?? '')
    const code = number ? Number.parseInt(number[1] ?? number[2] ?? '', number[1] === undefined ? 10 : 16) : undefined
    if (code !== undefined && code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
    const known = entities[entity ?? '']
    if (known === undefined) throw malformedXml('The XML you provided was not well-formed')
    return known
  })
}

// Comments, declarations, character data, tags, text. A document type is none of these, so no entity of a client's is ever made.
const token = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y

const deepest = 8

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Reads a small document.
 *
 * @throws `MalformedXML` (400).
 */
export function readXml(text: string): XmlNode {
  const fault = malformedXml('The XML you provided was not well-formed')
  const top: OpenNode = { name: '', text: '', children: [] }
  const open = [top]
  const source = text.replace(/^\ufeff/, '')
  token.lastIndex = 0
  for (let at = 0; at < source.length; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(source)
    const within = open.at(-1)
    if (!found || !within) throw fault
    const [, data, closing, name, , selfClosing, written] = found
    if (data !== undefined || written !== undefined) within.text += data ?? unescape(written ?? '')
    if (name === undefined) continue
    if (closing === '/') {
      if (open.length < 2 || within.name !== localName(name)) throw fault
      open.pop()
      continue
    }
    const node: OpenNode = { name: localName(name), text: '', children: [] }
    within.children.push(node)
    if (selfClosing !== '/') open.push(node)
    if (open.length > deepest) throw fault
  }
  const [root, ...others] = top.children
  if (!root || others.length > 0 || open.length > 1 || top.text.trim() !== '') throw fault
  return root
}

/** The children of one name. */
export const childrenOf = (node: XmlNode, name: string): XmlNode[] => node.children.filter((child) => child.name === name)
/** The text of the first child of one name. */
export const textOf = (node: XmlNode, name: string): string | undefined => node.children.find((child) => child.name === name)?.text
