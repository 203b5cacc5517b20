import { expect, test } from 'vitest'
import { FanOut } from './fan-out.ts'

/** Spends time as a write to a socket does. */
function takeMs(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const people = (count: number) => Array.from({ length: count }, (_, at) => ({ at, heard: [] as number[] }))

async function untilHeard(some: readonly { heard: number[] }[], last: number): Promise<number> {
  let turns = 0
  for (; turns < 10_000 && some.some(({ heard }) => heard.at(-1) !== last); turns += 1) await turn()
  return turns
}

test('a crowd hears everything in order, and others have their turn meanwhile', async () => {
  const crowd = people(400)
  const fanOut = new FanOut(new Set(crowd))
  for (let message = 0; message < 5; message += 1) {
    fanOut.tell(({ heard }) => {
      takeMs(0.1)
      heard.push(message)
    })
  }
  expect(crowd.at(-1)?.heard).toEqual([])
  // 200 ms of writing at least, some 5 in a turn.
  expect(await untilHeard(crowd, 4)).toBeGreaterThan(20)
  expect(crowd.every(({ heard }) => heard.join() === '0,1,2,3,4')).toBe(true)
})

test('a small crowd is told at once', () => {
  const crowd = people(30)
  new FanOut(new Set(crowd)).tell(({ heard }) => heard.push(1))
  expect(crowd.every(({ heard }) => heard.length === 1)).toBe(true)
})

test('who leaves hears nothing more, who comes hears what is told from then on', async () => {
  const crowd = people(200)
  const all = new Set(crowd)
  const fanOut = new FanOut(all)
  const tell = (message: number) => fanOut.tell(({ heard }) => {
    takeMs(0.2)
    heard.push(message)
  })
  tell(1)
  const gone = crowd.at(-1)
  const late = { at: 200, heard: [] as number[] }
  if (gone) all.delete(gone)
  all.add(late)
  tell(2)
  await untilHeard([late, ...crowd.slice(0, -1)], 2)
  expect(gone?.heard).toEqual([])
  expect(late.heard).toEqual([2])
  expect(crowd[150]?.heard).toEqual([1, 2])
})

test('what waits is told before anything else when that is asked for, and when too much waits', () => {
  const crowd = people(200)
  const fanOut = new FanOut(new Set(crowd))
  const tell = (message: number) => fanOut.tell(({ heard }) => {
    takeMs(0.05)
    heard.push(message)
  })
  tell(1)
  expect(crowd.at(-1)?.heard).toEqual([])
  fanOut.flush()
  expect(crowd.at(-1)?.heard).toEqual([1])
  for (let message = 2; message < 40; message += 1) tell(message)
  expect(crowd.at(-1)?.heard.length).toBeGreaterThan(30)
})
