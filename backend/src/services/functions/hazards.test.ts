import { spawn } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findDeno } from './deno.ts'
import { readUsage } from './process-usage.ts'
import { noDeno, openTestFunctions, until } from './open-test-functions.ts'

// What one function does must hurt nobody else: each of these stands beside a good one that goes on answering.

type Box = ReturnType<typeof openTestFunctions>
let box: Box
beforeAll(() => {
  box = openTestFunctions({ limits: { memoryBytes: 96 * 1024 * 1024, cpuMs: 1000, requests: 20 } })
  box.write('good/index.ts', 'Deno.serve(() => new Response("good"))')
})
afterAll(() => box.close())

const good = async () => (await box.call('/good')).text()
const answerOf = async (path: string, init?: Parameters<Box['call']>[1]) => {
  const answer = await box.call(path, init)
  return [answer.status, await answer.text()]
}
const said = (name: string, words: RegExp) => until(async () => (await box.logs(`?function=${name}`)).find(({ message }) => words.test(message)))

const limitReached = [546, '{"code":"WORKER_LIMIT","message":"Worker failed to respond due to a resource limit (please check logs)"}']
const workerFailed = [500, '{"code":"WORKER_ERROR","message":"Function exited due to an error (please check logs)"}']
const bootFailed = [503, '{"code":"BOOT_ERROR","message":"Worker failed to boot (please check logs)"}']

describe.skipIf(noDeno !== undefined)('a function that', { timeout: 60_000 }, () => {
  test('turns in a circle is ended by its processor time', async () => {
    box.write('circle/index.ts', 'Deno.serve(() => { for (;;); })')
    const circling = [answerOf('/circle'), answerOf('/circle')]
    expect(await good()).toBe('good')
    expect(await Promise.all(circling)).toEqual([limitReached, limitReached])
    await said('circle', /^CPU time limit reached/)
  })

  test('turns in a circle before it listens does not boot', async () => {
    box.write('circle-first/index.ts', 'for (;;);')
    const short = openTestFunctions({ supabaseFolder: box.folder, limits: { bootMs: 1000 } })
    expect([(await short.call('/circle-first')).status, await good()]).toEqual([503, 'good'])
    await short.close()
  })

  test('never answers is given up, and its next request is answered', async () => {
    box.write('silent/index.ts', 'Deno.serve((request) => request.method === "POST" ? new Promise(() => undefined) : new Response("here"))')
    const impatient = openTestFunctions({ supabaseFolder: box.folder, limits: { readMs: 2000 } })
    const ask = async (method: string) => {
      const answer = await impatient.call('/silent', { method })
      return [answer.status, await answer.text()]
    }
    const silent = ask('POST')
    expect(await ask('GET')).toEqual([200, 'here'])
    expect(await silent).toEqual([504, '{"code":"IDLE_TIMEOUT","message":"Request idle timeout limit (2s) reached"}'])
    await impatient.close()
  })

  test('throws answers 500 and goes on; one that throws outside of a request is started anew', async () => {
    box.write('throwing/index.ts', `let calls = 0
    Deno.serve((request) => {
      calls += 1
      if (request.method === 'PUT') throw new Error('in the request')
      if (request.method === 'POST') { setTimeout(() => { throw new Error('outside of it') }); return new Promise(() => undefined) }
      return new Response(String(calls))
    })`)
    expect(await answerOf('/throwing')).toEqual([200, '1'])
    expect(await answerOf('/throwing', { method: 'PUT' })).toEqual([500, 'Internal Server Error'])
    expect(await answerOf('/throwing')).toEqual([200, '3'])
    expect(await answerOf('/throwing', { method: 'POST' })).toEqual(workerFailed)
    expect(await answerOf('/throwing')).toEqual([200, '1'])
    await said('throwing', /in the request/)
    await said('throwing', /outside of it/)
  })

  test('cannot be read, or does not serve, is said to the caller and in the log', async () => {
    box.write('broken/index.ts', 'Deno.serve((')
    box.write('missing/index.ts', 'import "./nowhere.ts"')
    box.write('idle/index.ts', 'console.log("done")')
    expect(await answerOf('/broken')).toEqual(bootFailed)
    expect(await answerOf('/missing')).toEqual(bootFailed)
    expect(await answerOf('/idle')).toEqual(workerFailed)
    await said('broken', /index\.ts/)
    await said('missing', /nowhere\.ts/)
    await said('idle', /without calling Deno\.serve/)
    box.write('broken/index.ts', 'Deno.serve(() => new Response("mended"))')
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await answerOf('/broken')).toEqual([200, 'mended'])
  })

  test('eats memory is ended, be it objects or buffers', async () => {
    box.write('eating/index.ts', `Deno.serve(async (request) => {
      const kept: unknown[] = []
      if (request.method === 'POST') for (;;) kept.push({ at: kept.length, text: 'x'.repeat(100) + kept.length })
      for (;;) {
        kept.push(new Uint8Array(8_000_000).fill(1))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })`)
    const patient = openTestFunctions({ supabaseFolder: box.folder, limits: { memoryBytes: 96 * 1024 * 1024, cpuMs: 20_000 } })
    const [objects, buffers] = [await patient.call('/eating', { method: 'POST' }), await patient.call('/eating')]
    expect([[objects.status, await objects.text()], [buffers.status, await buffers.text()]]).toEqual([limitReached, limitReached])
    expect((await patient.logs()).filter(({ message }) => message.startsWith('memory limit reached'))).toHaveLength(2)
    await patient.close()
    expect(await good()).toBe('good')
  })

  test('starts programs, reads strange files, loads libraries or calls on its neighbours is refused each', async () => {
    box.write('neighbour/index.ts', 'const server = Deno.serve(() => new Response(String(server.addr.port)))')
    const neighbour = `http://127.0.0.1:${(await answerOf('/neighbour'))[1]}/`
    for (const word of ['', 'x'.repeat(43)]) expect((await fetch(neighbour, { headers: { 'x-portico-worker': word } })).status).toBe(403)
    box.write('curious/index.ts', `import { spawnSync } from 'node:child_process'
    const tries: Record<string, () => unknown> = {
      run: () => new Deno.Command('/bin/true').outputSync(),
      spawn: () => { if (spawnSync('/bin/true').status !== 0) throw new Error('not run') },
      passwd: () => Deno.readTextFileSync('/etc/passwd'),
      keys: () => Deno.readTextFileSync(new URL('../../../keys.json', import.meta.url)),
      environ: () => Deno.readTextFileSync('/proc/self/environ'),
      write: () => Deno.writeTextFileSync(new URL('./index.ts', import.meta.url), ''),
      library: () => Deno.dlopen('/lib/x86_64-linux-gnu/libc.so.6', {}),
      kill: () => process.kill(Deno.ppid, 0),
      neighbour: async () => { if (!(await fetch(${JSON.stringify(neighbour)})).ok) throw new Error('refused') },
      worker: () => new Worker('data:,'),
    }
    Deno.serve(async () => {
      const done: string[] = []
      for (const [name, go] of Object.entries(tries)) {
        try {
          await go()
          done.push(name)
        } catch { /* as it should be */ }
      }
      const temporary = Deno.makeTempFileSync()
      Deno.writeTextFileSync(temporary, 'mine')
      return Response.json({ done, mine: Deno.readTextFileSync(temporary) })
    })`)
    expect(await answerOf('/curious')).toEqual([200, '{"done":[],"mine":"mine"}'])
  })

  test('would be freed of its limits by a .env does not get to see such names', async () => {
    const freed = openTestFunctions({ secrets: { DYLD_INSERT_LIBRARIES: 'x', DENO_ENV: 'test' } })
    freed.write('.env', 'LD_PRELOAD=/nowhere.so\nDENO_PERMISSION_BROKER_PATH=/nowhere\nDENO_AUDIT_PERMISSIONS=/nowhere\nNODE_OPTIONS=--x')
    freed.write('names/index.ts', 'Deno.serve(() => Response.json(Object.keys(Deno.env.toObject()).filter((name) => !name.startsWith("SUPABASE_"))))')
    const answer = await freed.call('/names')
    expect([answer.status, await answer.text()]).toEqual([200, '["DENO_ENV"]'])
    expect(freed.lines.join()).not.toContain('nowhere')
    await freed.close()
  })

  test('links to what lies outside of the project does not boot until the link is gone', async () => {
    box.write('linked/index.ts', 'Deno.serve(async () => new Response(await Deno.readTextFile("./notes/passwd")))')
    const link = join(box.folder, 'functions/linked/notes')
    symlinkSync('/etc', link)
    expect(await answerOf('/linked')).toEqual(bootFailed)
    await said('linked', /did not boot: the link .*functions\/linked\/notes leads out of the project/)
    rmSync(link)
    box.write('../texts/passwd', 'harmless')
    symlinkSync('../../texts', link)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await answerOf('/linked')).toEqual([200, 'harmless'])
    rmSync(link)
  })

  test('floods its log is held back, and its neighbours are answered meanwhile', async () => {
    box.write('flooding/index.ts', `Deno.serve(async () => {
      const until = performance.now() + 700
      while (performance.now() < until) {
        for (let at = 0; at < 500; at += 1) console.log('x'.repeat(5000))
        await Deno.stdout.write(new Uint8Array(1_000_000).fill(120))
      }
      return new Response('done')
    })`)
    const flooding = box.call('/flooding')
    const startedAt = performance.now()
    for (let calls = 0; calls < 10; calls += 1) expect(await good()).toBe('good')
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    expect([200, 546]).toContain((await flooding).status)
    const entries = await box.logs('?function=flooding&limit=2000')
    expect(entries.length).toBeLessThan(110)
    expect(Math.max(...entries.map(({ message }) => message.length))).toBeLessThan(10_100)
    expect(entries.some(({ message }) => /what follows is left out/.test(message))).toBe(true)
  })

  test('serves a box that is killed ends with it', async () => {
    box.write('orphan/index.ts', 'Deno.serve(() => new Response())')
    const deno = findDeno(process.env.PORTICO_DENO)
    if ('missing' in deno) throw new Error(deno.missing)
    const setup = { secret: 'x', mark: '# ' }
    const words = ['run', '--no-prompt', '--allow-net', `--preload=${fileURLToPath(new URL('./function-worker.mjs', import.meta.url))}`, join(box.folder, 'functions/orphan/index.ts')]
    const script = `const child = require('node:child_process').spawn(${JSON.stringify(deno.path)}, ${JSON.stringify(words)}, { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(${JSON.stringify(`${JSON.stringify(setup)}\n`)})
    child.stdout.once('data', () => console.log(child.pid))`
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', (data) => resolve(String(data)))))
    const isAlive = () => readUsage(pid) !== undefined
    expect(isAlive()).toBe(process.platform === 'linux')
    parent.kill('SIGKILL')
    await until(async () => (isAlive() ? undefined : true))
  })

  test('is called too often at once says so, and the others have room', async () => {
    box.write('slow/index.ts', 'Deno.serve(() => new Promise((resolve) => setTimeout(() => resolve(new Response("late")), 800)))')
    await answerOf('/slow')
    const all = await Promise.all([good(), ...Array.from({ length: 25 }, async () => (await box.call('/slow')).status)])
    expect(all.filter((status) => status === 200)).toHaveLength(20)
    expect(all.filter((status) => status === 429)).toHaveLength(5)
    expect(all[0]).toBe('good')
  })
})
