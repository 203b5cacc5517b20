/** How a file is drawn and shown. `other` is told about, never opened here. */
export type FileKind = 'image' | 'video' | 'audio' | 'pdf' | 'table' | 'text' | 'code' | 'archive' | 'other'

const byEnding: Readonly<Record<string, string>> = {
  txt: 'text/plain', log: 'text/plain', md: 'text/markdown', markdown: 'text/markdown', csv: 'text/csv', tsv: 'text/tab-separated-values',
  json: 'application/json', geojson: 'application/geo+json', jsonl: 'application/x-ndjson', ndjson: 'application/x-ndjson', xml: 'application/xml', yaml: 'application/yaml', yml: 'application/yaml', toml: 'application/toml', ini: 'text/plain', env: 'text/plain',
  html: 'text/html', htm: 'text/html', css: 'text/css', js: 'text/javascript', mjs: 'text/javascript', cjs: 'text/javascript', jsx: 'text/javascript', ts: 'text/x-typescript', tsx: 'text/x-typescript', vue: 'text/plain',
  sql: 'application/sql', sh: 'application/x-sh', py: 'text/x-python', rb: 'text/x-ruby', go: 'text/x-go', rs: 'text/x-rust', java: 'text/x-java', c: 'text/x-c', h: 'text/x-c', cpp: 'text/x-c', cs: 'text/plain', php: 'text/plain', swift: 'text/plain', kt: 'text/plain',
  png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', avif: 'image/avif', svg: 'image/svg+xml', bmp: 'image/bmp', ico: 'image/x-icon', heic: 'image/heic', tif: 'image/tiff', tiff: 'image/tiff',
  mp4: 'video/mp4', m4v: 'video/mp4', webm: 'video/webm', mov: 'video/quicktime', mkv: 'video/x-matroska',
  mp3: 'audio/mpeg', m4a: 'audio/mp4', aac: 'audio/aac', wav: 'audio/wav', ogg: 'audio/ogg', oga: 'audio/ogg', opus: 'audio/ogg', flac: 'audio/flac',
  pdf: 'application/pdf', zip: 'application/zip', gz: 'application/gzip', tar: 'application/x-tar', '7z': 'application/x-7z-compressed', rar: 'application/vnd.rar',
  doc: 'application/msword', docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel', xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint', pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

const codeEndings = new Set(['json', 'geojson', 'jsonl', 'ndjson', 'xml', 'yaml', 'yml', 'toml', 'html', 'htm', 'css', 'js', 'mjs', 'cjs', 'jsx', 'ts', 'tsx', 'vue', 'sql', 'sh', 'py', 'rb', 'go', 'rs', 'java', 'c', 'h', 'cpp', 'cs', 'php', 'swift', 'kt'])

/** `pdf` of `june.PDF`; empty when there is none. */
export const endingOf = (name: string): string => /\.([\w-]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The type a file is stored with: what the browser says, else what its ending means. */
export const typeOf = (file: { name: string; type: string }): string => bare(file.type) || (byEnding[endingOf(file.name)] ?? 'application/octet-stream')

const bare = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()

// Types that servers give when they do not know: the ending says more.
const unknown = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain'])

/** What a stored file is. The stored type decides, its ending where that type says nothing. */
export function kindOf({ name, type }: { name: string; type: string }): FileKind {
  const stored = bare(type)
  const means = unknown.has(stored) ? (byEnding[endingOf(name)] ?? stored) : stored
  const [family] = means.split('/')
  if (means === 'application/pdf') return 'pdf'
  if (means === 'text/csv' || means === 'text/tab-separated-values') return 'table'
  if (family === 'image' || family === 'video' || family === 'audio') return family
  if (codeEndings.has(endingOf(name)) || /[/+](x-)?(json|ndjson|xml|yaml|toml|javascript|sql|sh|html|css)$/.test(means)) return 'code'
  if (family === 'text') return 'text'
  if (/zip|x-tar|gzip|rar|7z/.test(means) && !means.includes('officedocument')) return 'archive'
  return 'other'
}

/** Image types that every browser of ours draws. */
export const isDrawable = (type: string): boolean => /^image\/(png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/.test(bare(type))

/** Whether a bucket that lists its types takes this one: `image/*`, `application/pdf`. */
export const isTypeAllowed = (type: string, allowed: readonly string[] | null | undefined): boolean =>
  !allowed || allowed.length === 0 || allowed.some((pattern) => pattern === '*/*' || pattern === bare(type) || (pattern.endsWith('/*') && bare(type).startsWith(pattern.slice(0, -1))))
