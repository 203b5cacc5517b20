import { describe, expect, it } from 'vitest'
import { FilterBudget } from './filter-budget.ts'

const settings = { socketMs: 8_000, totalMs: 24_000, sharedMs: 2_000, leastMs: 250 }

function start() {
  let now = 0
  const budget = new FilterBudget(settings, () => now)
  return { budget, pass: (ms: number) => void (now += ms) }
}

describe('the time of filters', () => {
  it('is one amount for all of a socket, however many it has', () => {
    const { budget } = start()
    const slow = new Set([{}])
    expect(budget.allow(slow)).toBe(8_000)
    budget.spend(slow, 7_900)
    expect(budget.allow(slow)).toBeUndefined()
    expect(budget.allow(new Set([{}]))).toBe(8_000)
  })

  it('comes back within a minute', () => {
    const { budget, pass } = start()
    const slow = new Set([{}])
    budget.spend(slow, 8_000)
    pass(15_000)
    expect(budget.allow(slow)).toBe(2_000)
    pass(120_000)
    expect(budget.allow(slow)).toBe(8_000)
  })

  it('is shorter where several share a question, so that nobody waits for one of them', () => {
    const { budget } = start()
    const [ada, bob] = [{}, {}]
    expect(budget.allow(new Set([ada, bob]))).toBe(2_000)
    budget.spend(new Set([ada]), 8_000)
    expect(budget.allow(new Set([ada, bob]))).toBe(2_000)
    budget.spend(new Set([ada, bob]), 2_000)
    expect(budget.allow(new Set([bob]))).toBe(7_000)
  })

  it('leaves everybody a little when many sockets have used up what there is for all', () => {
    const { budget, pass } = start()
    for (let socket = 0; socket < 3; socket += 1) budget.spend(new Set([{}]), 8_000)
    expect(budget.allow(new Set([{}]))).toBe(250)
    pass(60_000)
    expect(budget.allow(new Set([{}]))).toBe(8_000)
  })
})
