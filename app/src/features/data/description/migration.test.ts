import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../../..')

test('offers the same migration to hosted projects that the box has built in', () => {
  const offered = readFileSync(join(root, 'app/public/portico_describe.sql'), 'utf8')
  expect(offered).toBe(readFileSync(join(root, 'backend/src/database/schema/portico_describe.sql'), 'utf8'))
})
