import { describe, expect, it } from 'vitest'
import { isFilter, readLiveAddress, topicFault, writeLiveAddress, type LiveAddress } from './address.ts'
import { readJson } from './json-text.ts'
import { entryOf, filterLog, logAsText, oneLine, type LogEntry } from './log.ts'

describe('the address of the channel screen', () => {
  const joined: LiveAddress = {
    rooms: [
      { topic: 'room-1', isPrivate: false, changes: undefined },
      { topic: 'with~sign!', isPrivate: true, changes: undefined },
      { topic: 'board:7', isPrivate: false, changes: { event: 'UPDATE', schema: 'public', table: 'tickets', filter: 'status=in.(open,"a~b")' } },
      { topic: 'all', isPrivate: false, changes: { event: '*', schema: 'public' } },
    ],
    shown: 'board:7',
  }

  it('says which channels are joined, and survives a reload', () => {
    expect(readLiveAddress(new URLSearchParams(writeLiveAddress(joined)))).toEqual(joined)
    expect(writeLiveAddress({ rooms: [], shown: undefined })).toBe('')
    expect(writeLiveAddress({ rooms: [{ topic: 'room-1', isPrivate: false, changes: undefined }], shown: 'room-1' })).toBe('?channel=room-1')
  })

  it('joins none of the app’s own channels, and each channel once, whatever a link says', () => {
    const { rooms } = readLiveAddress(new URLSearchParams([['channel', 'portico:people:x'], ['channel', 'a'], ['channel', 'a~private'], ['channel', ''], ['channel', 'x'.repeat(101)]]))
    expect(rooms).toEqual([{ topic: 'a', isPrivate: false, changes: undefined }])
  })

  it('leaves out changes it cannot read', () => {
    expect(readLiveAddress(new URLSearchParams({ channel: 'a~public~public~tickets~TRUNCATE' })).rooms[0]?.changes).toBeUndefined()
  })
})

describe('what is typed to join', () => {
  it('has its faults named', () => {
    expect([topicFault(''), topicFault('portico:changes:x'), topicFault('x'.repeat(101)), topicFault('room 1')]).toEqual(['missing', 'reserved', 'too-long', undefined])
  })

  it('tells a filter from what only looks like one', () => {
    expect(['status=eq.open', 'id=in.(1,2)', 'id=not.eq.3', 'a=eq.1,b=gt.2'].map(isFilter)).toEqual([true, true, true, true])
    expect(['status', 'status=open', '=eq.1', 'status=equals.1', 'status=eq.'].map(isFilter)).toEqual([false, false, false, false, false])
  })
})

describe('JSON that a person wrote', () => {
  it('is read, or its fault is placed', () => {
    expect(readJson('{"a":[1,null]}')).toEqual({ ok: true, value: { a: [1, null] } })
    expect(readJson('{\n  "a": x }')).toEqual({ ok: false, where: '2:8' })
    expect(readJson('').ok).toBe(false)
    expect(['{a: 1}', '[1, 2', '{"a": 1} x', '{"a": "b}', '{"a": 1,}', '[01]'].map((text) => readJson(text))).toEqual(['1:2', '1:6', '1:10', '1:7', '1:9', '1:3'].map((where) => ({ ok: false, where })))
  })
})

describe('the log', () => {
  const entry = (id: number, given: Partial<LogEntry>): LogEntry => ({ id, at: 0, kind: 'broadcast', name: 'message', content: undefined, text: '', ...given })
  const log = [entry(1, { kind: 'joined', name: 'first' }), entry(2, { content: { text: 'Hello' }, text: '{"text":"Hello"}' }), entry(3, { kind: 'sent', text: 'bye' }), entry(4, { kind: 'fault', name: 'Unauthorized' })]

  it('is filtered by kind and by words', () => {
    expect(filterLog(log, { search: '', hidden: new Set() })).toBe(log)
    expect(filterLog(log, { search: 'hello', hidden: new Set() }).map(({ id }) => id)).toEqual([2])
    expect(filterLog(log, { search: '', hidden: new Set(['system']) }).map(({ id }) => id)).toEqual([2, 3])
    expect(filterLog(log, { search: '', hidden: new Set(['broadcast']) }).map(({ id }) => id)).toEqual([1, 4])
  })

  it('is copied as lines of JSON, bytes as hex', () => {
    const bytes = new Uint8Array([1, 255]).buffer
    expect(logAsText([entry(1, { content: bytes })])).toBe('{"at":"1970-01-01T00:00:00.000Z","kind":"broadcast","name":"message","content":"01 ff"}')
    expect(oneLine(bytes)).toBe('2 bytes')
    expect(oneLine('x'.repeat(1000)).length).toBe(401)
  })

  it('tells each coming once', () => {
    const people = { ada: [{ status: 'here' }] }
    expect(entryOf({ kind: 'presence', action: 'sync', key: '', people })).toBeUndefined()
    expect(entryOf({ kind: 'presence', action: 'join', key: 'ada', people })?.content).toEqual(people)
  })

  it('keeps of a deleted row what was told of it', () => {
    const change = { type: 'DELETE' as const, schema: 'public', table: 'tickets', committedAt: 'now', record: {}, before: { id: 1 }, errors: [] }
    expect(entryOf({ kind: 'changes', change })?.content).toEqual({ table: 'public.tickets', committed_at: 'now', old_record: { id: 1 } })
  })
})
