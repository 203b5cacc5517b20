import { expect, test } from 'vitest'
import { CommitLine } from './commit-line.ts'

const xids = (line: CommitLine) => line.take(100).map((step) => (step.kind === 'transaction' ? step.xid : step.kind))

test('takes each transaction once, in the order told, and none from before', () => {
  const line = new CommitLine('10:13:11')
  for (const told of ['12', '11', '9', '14', '11', '13']) line.hear(told)
  // 12 had ended when the line began; 11 was running.
  expect(xids(line)).toEqual([11, 14, 13])
})

test('stops before a mark and before a change of tables, which come alone', () => {
  const line = new CommitLine('1:1:')
  for (const told of ['1', '2', 'me/1', '3', 'tables', '4']) line.hear(told)
  expect([xids(line), xids(line), xids(line), xids(line), xids(line)]).toEqual([[1, 2], ['mark'], [3], ['tables'], [4]])
})

test('puts what was missed before what is told while it is looked for', async () => {
  const line = new CommitLine('1:1:')
  line.hear('1')
  let found: (missed: number[]) => void = () => undefined
  const inserted = line.insertMissed(() => new Promise((resolve) => { found = resolve }))
  line.hear('5')
  line.hear('3')
  found([1, 2, 3, 4])
  await inserted
  expect([...xids(line), ...xids(line), ...xids(line)]).toEqual([1, 2, 3, 4, 'tables', 5])
})

test('forgets what a mark covers and still knows it', () => {
  const line = new CommitLine('1:1:')
  for (const told of ['1', '2', '3']) line.hear(told)
  xids(line)
  line.moveTo('3:4:3')
  for (const told of ['1', '2', '3', '4']) line.hear(told)
  expect(xids(line)).toEqual([4])
})
