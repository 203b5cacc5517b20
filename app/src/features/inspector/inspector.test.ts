import { describe, expect, it } from 'vitest'
import type { Call } from '#api/call-log.ts'
import { findCalls } from './call-filter.ts'
import { clockText, otherClaims, readMethods, readToken } from './claims.ts'
import { headerBytes, missingChunks, readCookieFacts } from './cookie-facts.ts'
import { curlOf } from './curl.ts'
import { reportParts, writeReport } from './report.ts'

const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const call = (facts: Partial<Call>): Call => ({ id: 1, at: 0, method: 'GET', path: '/rest/v1/tickets', service: 'rest', status: 200, durationMs: 5, requestId: '', errorCode: '', role: 'user', sizeBytes: null, ...facts })

describe('a token', () => {
  it('is told by its form and its claims', () => {
    const facts = readToken(`${part({ alg: 'ES256', kid: 'k1' })}.${part({ sub: 'u1', iat: 100, exp: 3700, org: 'harbor', amr: [{ method: 'password', timestamp: 90 }, 'totp'] })}.c2ln`)
    expect(facts).toMatchObject({ algorithm: 'ES256', keyId: 'k1', issuedAt: 100_000, expiresAt: 3_700_000 })
    expect(otherClaims(facts?.claims ?? {})).toEqual([['org', 'harbor']])
    expect(readMethods(facts?.claims['amr'])).toEqual([{ name: 'password', at: 90_000 }, { name: 'totp', at: null }])
    expect(readToken('no token')).toBeNull()
  })

  it('counts down to zero and no further', () => {
    expect([3_600_000, 61_000, 1, -5000].map(clockText)).toEqual(['1:00:00', '1:01', '0:01', '0:00'])
  })
})

describe('cookies', () => {
  const project = { id: 'a', name: 'A', url: 'https://a.example', key: 'k' }
  const other = { id: 'b', name: 'B', url: 'https://b.example', key: 'k' }
  const named = (...names: string[]) => names.map((name) => ({ name, sizeBytes: 100 }))

  it('are each told for what they are, the session’s first', () => {
    const facts = readCookieFacts(named('theme', 'sb-b-auth-token', 'sb-a-auth-token.10', 'sb-a-auth-token.2', 'sb-a-auth-token-flow-0f-code-verifier', 'sb-x-auth-token'), project, [project, other])
    expect(facts.map(({ meaning }) => meaning)).toEqual([{ kind: 'chunk', number: 2 }, { kind: 'chunk', number: 10 }, { kind: 'proof' }, { kind: 'sibling', projectName: 'B' }, { kind: 'sibling' }, { kind: 'other' }])
  })

  it('of which one piece is missing are seen through', () => {
    const facts = readCookieFacts(named('sb-a-auth-token.0', 'sb-a-auth-token.2'), project, [project])
    expect(missingChunks(facts, 'sb-a-auth-token')).toEqual(['sb-a-auth-token.1'])
    expect(missingChunks(readCookieFacts(named('sb-a-auth-token'), project, [project]), 'sb-a-auth-token')).toEqual([])
  })

  it('weigh what the header weighs', () => {
    expect(headerBytes(named('a', 'b', 'c'))).toBe(304)
    expect(headerBytes([])).toBe(0)
  })
})

describe('calls', () => {
  const calls = [call({ id: 1 }), call({ id: 2, service: 'auth', path: '/auth/v1/token', status: 400, errorCode: 'invalid_credentials' }), call({ id: 3, status: 0 })]

  it('are found by every word typed, newest first', () => {
    const found = (search: string, service = '', failedOnly = false) => findCalls(calls, { search, service, failedOnly }).map(({ id }) => id)
    expect(found('')).toEqual([3, 2, 1])
    expect(found('token INVALID')).toEqual([2])
    expect(found('', 'rest')).toEqual([3, 1])
    expect(found('', '', true)).toEqual([3, 2])
  })

  it('are copied as a command without key, token or body', () => {
    const command = curlOf(call({ method: 'POST', path: "/rest/v1/rpc/o'clock" }), 'https://a.example/base')
    expect(command).toBe(`curl -X POST 'https://a.example/rest/v1/rpc/o'\\''clock' \\\n  -H "apikey: $PROJECT_KEY" \\\n  -H "Authorization: Bearer $ACCESS_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  --data @body.json`)
    expect(curlOf(call({ role: 'public' }), 'https://a.example')).not.toContain('ACCESS_TOKEN')
  })
})

describe('a report', () => {
  const headings = { page: 'Page', session: 'Session', storage: 'Storage', events: 'Events', calls: 'Calls', channels: 'Channels', note: 'Note' }
  const token = readToken(`${part({ alg: 'ES256', kid: 'k1' })}.${part({ sub: '3f2c91ab-1111-4222-8333-444455556666', email: 'ada@mail.example', role: 'authenticated', user_metadata: { salary: 'hidden-thing' } })}.c2ln`)
  const facts = {
    note: 'Ask ada@mail.example',
    page: { path: '/inspector', projectUrl: 'https://a.example', browser: 'x', language: 'en', window: '1 × 1', online: true },
    stored: { token, state: 'sound' as const, cookies: [], missing: [], proofs: [], local: [], tab: [] },
    events: [],
    calls: [call({ path: '/rest/v1/tickets?select=id%2Csubject&subject=ilike.%2Asecret%20plan%2A&order=id.desc' })],
    channels: [],
    known: ['the-key', 'ada@mail.example'],
  }

  it('holds no value of a filter, no claim’s content and no address, and stays readable', () => {
    const { text, removed } = writeReport(facts, new Set(reportParts), headings)
    expect(text).not.toMatch(/plan|hidden-thing|ada@|mail\.example|4222-8333/)
    expect(text).toContain('GET /rest/v1/tickets?select=id,subject&subject=ilike.…&order=id.desc → 200')
    expect([...removed.keys()].sort()).toEqual(['email', 'filter', 'id'])
  })

  it('has only the parts that were asked for', () => {
    const { text } = writeReport({ ...facts, note: '' }, new Set(['page']), headings)
    expect(text).toContain('## Page')
    expect(text).not.toMatch(/## (Session|Calls|Note)/)
  })
})
