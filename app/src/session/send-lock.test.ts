import { describe, expect, it } from 'vitest'
import { openTestStorage } from '#api/open-test-page.ts'
import { createDrafts } from './drafts.ts'
import { createPendingEntries } from './pending-entry.ts'
import { createSendLocks, secondsInMessage } from './send-lock.ts'

const clockAt = (start: number) => {
  const clock = { at: start }
  return { clock, now: () => clock.at }
}

describe('the lock on "send again"', () => {
  it('lasts the server’s minute and counts down', () => {
    const { clock, now } = clockAt(1_000_000)
    const locks = createSendLocks('p', openTestStorage(), now)
    locks.lock('sign-in', 'ada@example.com')
    expect(locks.secondsLeft('sign-in', 'ada@example.com')).toBe(60)
    clock.at += 59_100
    expect(locks.secondsLeft('sign-in', 'ada@example.com')).toBe(1)
    clock.at += 900
    expect(locks.secondsLeft('sign-in', 'ada@example.com')).toBe(0)
  })

  it('survives a reload and holds in every tab, since they share the storage', () => {
    const storage = openTestStorage()
    createSendLocks('p', storage).lock('confirmation', 'ada@example.com')
    expect(createSendLocks('p', storage).secondsLeft('confirmation', 'ADA@example.com ')).toBe(60)
  })

  it('is one per address, kind and project', () => {
    const storage = openTestStorage()
    const locks = createSendLocks('p', storage)
    locks.lock('sign-in', 'ada@example.com')
    expect(locks.secondsLeft('sign-in', 'bob@example.com')).toBe(0)
    expect(locks.secondsLeft('confirmation', 'ada@example.com')).toBe(0)
    expect(createSendLocks('q', storage).secondsLeft('sign-in', 'ada@example.com')).toBe(0)
  })

  it('opens when the mail was not sent, and takes the interval the server names', () => {
    const locks = createSendLocks('p', openTestStorage(), () => 0)
    locks.lock('sign-in', 'ada@example.com')
    locks.unlock('sign-in', 'ada@example.com')
    expect(locks.secondsLeft('sign-in', 'ada@example.com')).toBe(0)
    locks.lock('sign-in', 'ada@example.com', secondsInMessage('For security purposes, you can only request this after 37 seconds.'))
    expect(locks.secondsLeft('sign-in', 'ada@example.com')).toBe(37)
    expect(secondsInMessage('email rate limit exceeded')).toBeUndefined()
  })

  it('starts anew over spoilt storage', () => {
    const storage = openTestStorage()
    storage.setItem('portico.send-locks.p', 'not json')
    expect(createSendLocks('p', storage).secondsLeft('sign-in', 'a@b.c')).toBe(0)
  })
})

describe('what this browser waits for', () => {
  it('is remembered for a day, with a safe way back', () => {
    const { clock, now } = clockAt(5)
    const pending = createPendingEntries('p', openTestStorage(), now)
    pending.remember({ way: 'signup', email: 'ada@example.com', to: '//evil.example' })
    expect(pending.latest()).toEqual({ way: 'signup', email: 'ada@example.com', startedAt: 5, to: '/' })
    clock.at += 25 * 60 * 60 * 1000
    expect(pending.latest()).toBeUndefined()
  })

  it('is nothing when the storage holds something else', () => {
    const storage = openTestStorage()
    for (const text of ['null', '[]', '{"way":"signup"}', '{"way":"sms","email":"a","startedAt":1,"to":"/"}', '{']) {
      storage.setItem('portico.pending-entry.p', text)
      expect(createPendingEntries('p', storage, () => 2).latest()).toBeUndefined()
    }
  })
})

describe('unsaved work', () => {
  it('belongs to one person of one project', () => {
    const storage = openTestStorage()
    const ada = createDrafts('p', 'ada', storage)
    ada.save('ticket:1', { title: 'Broken' })
    expect(ada.read('ticket:1')).toEqual({ title: 'Broken' })
    expect(createDrafts('p', 'bob', storage).read('ticket:1')).toBeNull()
    expect(createDrafts('q', 'ada', storage).read('ticket:1')).toBeNull()
  })

  it('is forgotten when its person leaves on purpose, and nobody else’s', () => {
    const storage = openTestStorage()
    const ada = createDrafts('p', 'ada', storage)
    const bob = createDrafts('p', 'bob', storage)
    ada.save('a', 1)
    bob.save('b', 2)
    ada.clearAll()
    expect(ada.isEmpty()).toBe(true)
    expect(bob.read('b')).toBe(2)
  })
})
