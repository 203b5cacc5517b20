import type { ChannelEvent, ChannelFault, Change } from '#api/channels.ts'

export type LogKind = 'broadcast' | 'sent' | 'presence' | 'changes' | 'system' | 'fault' | 'joined'

/** One thing that happened on a channel. */
export interface LogEntry {
  /** Counts up within the channel. */
  id: number
  at: number
  kind: LogKind
  /** The event's own name: of a message, a change, a presence. */
  name: string
  /** What is shown of it in full. */
  content: unknown
  /** The content on one line, for the list and for the filter. */
  text: string
}

/** What one may choose to see; sent messages go with those that came, faults and joins with the system's. */
export type LogGroup = 'broadcast' | 'presence' | 'changes' | 'system'

export const groups: readonly LogGroup[] = ['broadcast', 'changes', 'presence', 'system']

export const groupOf = (kind: LogKind): LogGroup => (kind === 'sent' ? 'broadcast' : kind === 'fault' || kind === 'joined' ? 'system' : kind)

const longestText = 400

/** One line of a content: JSON without line breaks, cut where it grows long. */
export function oneLine(content: unknown): string {
  if (content === undefined) return ''
  const text = typeof content === 'string' ? content : isBytes(content) ? `${content.byteLength} bytes` : JSON.stringify(content)
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

/** All of a content, as it is shown and copied. */
export const wholeText = (content: unknown): string =>
  typeof content === 'string' ? content : isBytes(content) ? asHex(content) : JSON.stringify(content, null, 2) ?? ''

const isBytes = (content: unknown): content is ArrayBuffer => content instanceof ArrayBuffer

const asHex = (bytes: ArrayBuffer): string => Array.from(new Uint8Array(bytes).subarray(0, 4096), (byte) => byte.toString(16).padStart(2, '0')).join(' ')

/** What of an event goes into the log; undefined for what says nothing new. */
export function entryOf(event: ChannelEvent): Pick<LogEntry, 'kind' | 'name' | 'content'> | undefined {
  switch (event.kind) {
    case 'joined': return { kind: 'joined', name: event.again ? 'again' : 'first', content: undefined }
    case 'broadcast': return { kind: 'broadcast', name: event.event, content: event.payload }
    case 'changes': return { kind: 'changes', name: event.change.type, content: changeContent(event.change) }
    case 'system': return { kind: 'system', name: event.extension, content: event.message }
    case 'fault': return { kind: 'fault', name: event.fault.code, content: faultContent(event.fault) }
    // Every coming and going is told twice more, as the state it leads to.
    case 'presence': return event.action === 'sync' ? undefined : { kind: 'presence', name: event.action, content: { [event.key]: event.people[event.key] ?? [] } }
  }
}

const changeContent = ({ type, schema, table, committedAt, record, before, errors }: Change): Record<string, unknown> => ({
  table: `${schema}.${table}`,
  committed_at: committedAt,
  ...(type === 'DELETE' ? {} : { record }),
  ...(type === 'INSERT' ? {} : { old_record: before }),
  ...(errors.length > 0 ? { errors } : {}),
})

const faultContent = ({ message }: ChannelFault): string => message

export interface LogFilter {
  search: string
  /** Groups that are left out. */
  hidden: ReadonlySet<LogGroup>
}

export function filterLog(log: readonly LogEntry[], { search, hidden }: LogFilter): readonly LogEntry[] {
  const sought = search.trim().toLowerCase()
  if (sought === '' && hidden.size === 0) return log
  return log.filter(({ kind, name, text }) => !hidden.has(groupOf(kind)) && (sought === '' || `${name} ${text}`.toLowerCase().includes(sought)))
}

/** The log as lines of JSON, to paste elsewhere. */
export const logAsText = (log: readonly LogEntry[]): string =>
  log.map(({ at, kind, name, content }) => JSON.stringify({ at: new Date(at).toISOString(), kind, name, ...(content === undefined ? {} : { content: isBytes(content) ? asHex(content) : content }) })).join('\n')
