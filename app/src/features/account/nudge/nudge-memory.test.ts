import { describe, expect, it } from 'vitest'
import { openTestStorage } from '#api/open-test-page.ts'
import { createNudgeMemory } from './nudge-memory.ts'

const day = 24 * 60 * 60_000
const open = (storage = openTestStorage()) => {
  const clock = { at: 1_000_000 }
  const of = (userId: string) => createNudgeMemory({ projectId: 'p', userId }, storage, () => clock.at)
  return { clock, ...of('ada'), of }
}

describe('the invitation to add a passkey', () => {
  it('pauses for thirty days after a no, comes once more, and never after the second', () => {
    const { clock, isDue, noteNo } = open()
    expect(isDue('s1')).toBe(true)
    noteNo()
    clock.at += 30 * day - 1
    expect(isDue('s2')).toBe(false)
    clock.at += 1
    expect(isDue('s3')).toBe(true)
    noteNo()
    clock.at += 1000 * day
    expect(isDue('s4')).toBe(false)
  })

  it('takes three sessions without an answer for a no', () => {
    const { clock, isDue, noteSeen } = open()
    for (const session of ['s1', 's2', 's3']) {
      expect(isDue(session)).toBe(true)
      noteSeen(session)
      noteSeen(session)
    }
    expect(isDue('s3')).toBe(true)
    noteSeen('s4')
    expect(isDue('s4')).toBe(false)
    clock.at += 30 * day
    expect(isDue('s5')).toBe(true)
  })

  it('once taken up comes no more in that session', () => {
    const { isDue, noteSeen, noteTaken } = open()
    noteSeen('s1')
    noteTaken('s1')
    expect(isDue('s1')).toBe(false)
    expect(isDue('s2')).toBe(true)
  })

  it('is each person’s own, and what is damaged counts as nothing', () => {
    const { of, noteNo, isDue } = open()
    noteNo()
    expect(isDue('s1')).toBe(false)
    expect(of('bob').isDue('s1')).toBe(true)
    const storage = openTestStorage()
    storage.setItem('portico.nudge.p.ada', '{"noes":"9"}')
    expect(open(storage).isDue('s1')).toBe(true)
  })
})
