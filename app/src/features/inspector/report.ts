import type { Call } from '#api/call-log.ts'
import type { ChannelFacts } from '#api/channels.ts'
import type { SessionEvent } from '#session/event-log.ts'
import { readMethods } from './claims.ts'
import { headerBytes } from './cookie-facts.ts'
import { redact, type Redacted } from './redact.ts'
import type { Stored } from './use-facts.ts'

export const reportParts = ['page', 'session', 'storage', 'events', 'calls', 'channels'] as const
export type ReportPart = (typeof reportParts)[number]

export interface ReportFacts {
  /** What the person wrote. */
  note: string
  page: { path: string; projectUrl: string; browser: string; language: string; window: string; online: boolean }
  stored: Stored
  events: readonly SessionEvent[]
  calls: readonly Call[]
  channels: readonly ChannelFacts[]
  /** Of which no part may stand in it: the key, the person's addresses. */
  known: readonly string[]
}

const callsTold = 60
const eventsTold = 40
const moment = (at: number | null): string => (at === null ? '?' : new Date(at).toISOString())

/** The report's lines. Its headings are the catalogue's; what stands below them is the same in every language, since others read it. */
const writers: Readonly<Record<ReportPart, (facts: ReportFacts) => string[]>> = {
  page: ({ page }) => [
    `address: ${page.path}`,
    `project: ${page.projectUrl}`,
    `browser: ${page.browser}`,
    `language: ${page.language}, window: ${page.window}, online: ${page.online}`,
    `at: ${new Date().toISOString()}`,
  ],
  session: ({ stored: { token, state } }) => [
    `cookies: ${state}`,
    ...(token === null ? [] : [
      `role: ${String(token.claims['role'])}, level: ${String(token.claims['aal'])}, methods: ${readMethods(token.claims['amr']).map(({ name }) => name).join(', ')}`,
      `user: ${String(token.claims['sub'])}, session: ${String(token.claims['session_id'])}`,
      `token: ${token.algorithm}, ${token.length} characters, issued ${moment(token.issuedAt)}, expires ${moment(token.expiresAt)}`,
      `claims: ${Object.keys(token.claims).join(', ')}`,
    ]),
  ],
  storage: ({ stored: { cookies, missing, proofs, local, tab } }) => [
    `cookie header: ${headerBytes(cookies)} bytes`,
    ...cookies.map(({ name, sizeBytes, meaning }) => `${name}: ${sizeBytes} bytes, ${meaning.kind}`),
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    `proofs: ${proofs.map(({ at }) => `begun ${moment(at)}`).join('; ') || 'none'}`,
    ...[...local, ...tab].map(({ name, sizeBytes }) => `${name}: ${sizeBytes} bytes`),
  ],
  events: ({ events }) => events.slice(-eventsTold).map(({ at, name, fromElsewhere }) => `${moment(at)} ${name}${fromElsewhere ? ' (another tab)' : ''}`),
  calls: ({ calls }) => calls.slice(-callsTold).map((call) =>
    `${moment(call.at)} ${call.method} ${call.path} → ${call.status || 'no answer'}${call.errorCode && ` ${call.errorCode}`}, ${call.durationMs} ms, ${call.role}${call.requestId && `, request ${call.requestId}`}`),
  channels: ({ channels }) => channels.map(({ topic, state, joins, lastError }) => `${topic}: ${state}, joined ${joins} times${lastError ? `, ${lastError.code} ${lastError.message}` : ''}`),
}

/** Writes the report and cleans it, the person's own note included. */
export function writeReport(facts: ReportFacts, parts: ReadonlySet<ReportPart>, headings: Readonly<Record<ReportPart | 'note', string>>): Redacted {
  const section = (heading: string, lines: readonly string[]) => (lines.length === 0 ? [] : [`## ${heading}`, ...lines, ''])
  const lines = [
    ...section(headings.note, facts.note.trim() === '' ? [] : [facts.note.trim()]),
    ...reportParts.filter((part) => parts.has(part)).flatMap((part) => section(headings[part], writers[part](facts))),
  ]
  // Cleaned as it was sent, where a value ends where it says; only then made easier to read.
  const { text, removed } = redact(lines.join('\n').trim(), facts.known)
  return { text: text.replaceAll(/%(?:2C|28|29|2A|3A|22|7B|7D)/gi, decodeURIComponent), removed }
}
