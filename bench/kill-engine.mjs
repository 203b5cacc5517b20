// node bench/kill-engine.mjs [kills=20]: kills a writing process without warning, again and again, on one data folder; opens what it
// left, and compares it with what was acknowledged. Then kills as many first starts. Exits non-zero when anything is lost.
import { rmSync } from 'node:fs'
import { importBundled, scratch, sources } from './database.mjs'
import { join } from 'node:path'

const kills = Number(process.argv[2] ?? 20)
const folder = scratch(`kill-bench-${process.pid}`)
const { KillTrials } = await importBundled('data-folder/kill-trial.ts', folder)
const trials = await KillTrials.prepare({ folder, sources: join(sources, 'data-folder') })
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

let lost = 0
let torn = 0
let acknowledged = 0
const reopens = []
const note = (trial) => {
  lost += trial.lost.length
  torn += trial.torn.length
  reopens.push(trial.reopenMs)
}
try {
  for (let kill = 1; kill <= kills; kill += 1) {
    // Every fifth one hits the start itself, recovery from the last kill included.
    const during = kill % 5 === 0 ? 'start' : 'ready'
    const trial = await trials.run('data', during, during === 'start' ? 100 + Math.random() * 500 : 20 + Math.random() * 1500)
    note(trial)
    acknowledged = trial.acknowledged
    console.log(`kill ${kill} (${during}): ${trial.acknowledged} acknowledged so far, ${trial.lost.length} lost, ${trial.torn.length} torn, opened in ${Math.round(trial.reopenMs)} ms`)
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    const afterMs = 60 + Math.random() * 640
    const trial = await trials.run(`first-${kill}`, 'start', afterMs)
    note(trial)
    acknowledged += trial.acknowledged
    console.log(`first start ${kill}, killed after ${Math.round(afterMs)} ms: opened in ${Math.round(trial.reopenMs)} ms`)
    rmSync(join(folder, `first-${kill}`), { recursive: true, force: true })
  }
  console.log(`\n${kills} kills while writing and ${kills} first starts killed: ${acknowledged} acknowledged, ${lost} lost, ${torn} torn, 0 failed opens; opening took ${Math.round(median(reopens))} ms (median), ${Math.round(Math.max(...reopens))} ms at most`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(lost + torn === 0 && acknowledged > 0 ? 0 : 1)
