/** A media type as requests name it and replies answer it. */
export type MediaType =
  | { kind: 'json' | 'geojson' | 'csv' | 'text' | 'xml' | 'openapi' | 'form' | 'octets' | 'any' }
  | { kind: 'array'; stripNulls: true }
  | { kind: 'object'; stripNulls: boolean }
  | { kind: 'plan'; of: MediaType; format: 'text' | 'json'; options: readonly PlanOption[] }
  | { kind: 'other'; name: string }

export type PlanOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal'

type PlainKind = 'json' | 'geojson' | 'csv' | 'text' | 'xml' | 'openapi' | 'form' | 'octets' | 'any'

const plainNames: Readonly<Record<PlainKind, string>> = {
  json: 'application/json',
  geojson: 'application/geo+json',
  csv: 'text/csv',
  text: 'text/plain',
  xml: 'text/xml',
  openapi: 'application/openapi+json',
  form: 'application/x-www-form-urlencoded',
  octets: 'application/octet-stream',
  any: '*/*',
}
const plainKinds = new Map(Object.entries(plainNames).map(([kind, name]) => [name, kind as PlainKind]))

const planOptions: readonly PlanOption[] = ['analyze', 'verbose', 'settings', 'buffers', 'wal']

export const anyMedia: MediaType = { kind: 'any' }
export const jsonMedia: MediaType = { kind: 'json' }

/** `application/vnd.pgrst.plan+text; for="application/json"; options=analyze` */
export function mediaName(media: MediaType): string {
  switch (media.kind) {
    case 'array':
      return 'application/vnd.pgrst.array+json;nulls=stripped'
    case 'object':
      return `application/vnd.pgrst.object+json${media.stripNulls ? ';nulls=stripped' : ''}`
    case 'plan': {
      const options = media.options.length > 0 ? `; options=${media.options.join('|')}` : ''
      return `application/vnd.pgrst.plan+${media.format}; for="${mediaName(media.of)}"${options}`
    }
    case 'other':
      return media.name
    default:
      return plainNames[media.kind]
  }
}

/** The `Content-Type` of a reply. */
export const contentType = (media: MediaType): string =>
  media.kind === 'octets' || media.kind === 'other' ? mediaName(media) : `${mediaName(media)}; charset=utf-8`

function parseParameters(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const match of text.matchAll(/\s*;\s*([A-Za-z0-9-]+)\s*=\s*(?:"([^"]*)"|([A-Za-z0-9|-]+))/gy)) {
    found.set(match[1]!.toLowerCase(), match[2] ?? match[3] ?? '')
  }
  return found
}

function planOf(format: 'text' | 'json', parameters: Map<string, string>): MediaType {
  const named = (parameters.get('options') ?? '').split('|')
  const of = parseMediaType(parameters.get('for') ?? 'application/json')
  return { kind: 'plan', of, format, options: planOptions.filter((option) => named.includes(option)) }
}

export function parseMediaType(text: string): MediaType {
  const match = /^([A-Za-z0-9.*]+\/[A-Za-z0-9.*+-]+)(.*)$/s.exec(text)
  if (!match) return { kind: 'other', name: text }
  const name = match[1]!.toLowerCase()
  const plain = plainKinds.get(name)
  if (plain) return { kind: plain }
  const parameters = parseParameters(match[2]!)
  const stripNulls = parameters.get('nulls') === 'stripped'
  switch (name.replace('application/vnd.pgrst.', '')) {
    case 'plan':
    case 'plan+text':
      return planOf('text', parameters)
    case 'plan+json':
      return planOf('json', parameters)
    case 'object':
    case 'object+json':
      return { kind: 'object', stripNulls }
    case 'array':
    case 'array+json':
      return stripNulls ? { kind: 'array', stripNulls } : jsonMedia
    default:
      return { kind: 'other', name: text }
  }
}

function quality(parameters: string): number {
  const match = /;\s*q\s*=\s*([0-9.]+)/i.exec(parameters)
  return match ? Number(match[1]) : 1
}

/** The types an `Accept` header names, dearest first; of equal ones a more specific one goes first, then the earlier. */
export function parseAccept(header: string | null): MediaType[] {
  if (header === null || header.trim() === '') return [anyMedia]
  return header
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ name: part.replace(/;\s*q\s*=\s*[0-9.]+/i, '').trim(), quality: quality(part) }))
    .sort((one, other) => other.quality - one.quality || wildcards(one.name) - wildcards(other.name))
    .map(({ name }) => parseMediaType(name))
}

const wildcards = (name: string): number => (name.startsWith('*/*') ? 2 : /^[^/]+\/\*/.test(name) ? 1 : 0)
