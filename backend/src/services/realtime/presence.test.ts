import { expect, test } from 'vitest'
import { encodePush, encodeShared } from './frames/encode.ts'
import { makePresence, PresenceList } from './presence.ts'

test('who is there is written once for all who come, until somebody else does', () => {
  const list = new PresenceList()
  const ada = makePresence('ada', { name: 'Ada' }, undefined)
  list.add(ada)
  const first = list.state()
  expect(list.state()).toBe(first)
  expect(JSON.parse(first.toString())).toEqual({ ada: { metas: [{ name: 'Ada', phx_ref: ada.ref }] } })
  list.add(makePresence('bob', {}, undefined))
  expect(list.state()).not.toBe(first)
  list.remove(ada)
  expect(Object.keys(JSON.parse(list.state().toString()) as object)).toEqual(['bob'])
})

test.each([1, 2] as const)('a frame around shared bytes is the frame it would be whole, in version %s', (version) => {
  for (const length of [1, 100, 200, 70_000]) {
    const json = JSON.stringify({ words: 'é'.repeat(length) })
    const push = { joinRef: '7', topic: 'realtime:room', event: 'presence_state' }
    const shared = Buffer.from(json)
    const parts = encodeShared(version, { ...push, shared })
    expect(parts[1]).toBe(shared)
    expect(Buffer.concat(parts)).toEqual(encodePush(version, { ...push, json }))
  }
})
