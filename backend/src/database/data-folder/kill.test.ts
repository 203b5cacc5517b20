import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KillTrials } from './kill-trial.ts'

const folder = fileURLToPath(new URL(`../../../../node_modules/.cache/portico/kill-${process.pid}`, import.meta.url))
let trials: KillTrials
beforeAll(async () => { trials = await KillTrials.prepare({ folder }) })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('loses nothing that was acknowledged when the process is killed while it writes', async () => {
  let acknowledged = 0
  for (const afterMs of [60, 150, 400, 250]) {
    const trial = await trials.run('data', 'ready', afterMs)
    expect(trial).toMatchObject({ lost: [], torn: [] })
    acknowledged = trial.acknowledged
  }
  // Killed while it recovers from the last kill.
  expect(await trials.run('data', 'start', 350)).toMatchObject({ lost: [], torn: [] })
  expect(acknowledged).toBeGreaterThan(3)
}, 180_000)

it('opens after a first start that was killed at any moment', async () => {
  for (const afterMs of [120, 200, 260, 320, 450]) {
    const trial = await trials.run(`first-${afterMs}`, 'start', afterMs)
    expect(trial).toMatchObject({ lost: [], torn: [] })
    expect(existsSync(join(folder, `.first-${afterMs}.unpacking`))).toBe(false)
  }
}, 180_000)
