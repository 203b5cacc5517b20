import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noDeno, openTestFunctions, until } from './open-test-functions.ts'

// The ways projects write their functions.

type Box = ReturnType<typeof openTestFunctions>
let box: Box
beforeAll(() => {
  box = openTestFunctions({ functions: { mailing: { staticFiles: ['./letters/*.html'], env: { TONE: 'kind' } }, renamed: { entrypoint: './functions/other/main.ts' } } })
})
afterAll(() => box.close())

const textOf = async (path: string, init?: Parameters<Box['call']>[1]) => (await box.call(path, init)).text()

describe.skipIf(noDeno !== undefined)('a function may', { timeout: 60_000 }, () => {
  test('export its handler', async () => {
    box.write('exported/index.ts', 'export default { fetch: (request: Request) => new Response(new URL(request.url).pathname) }')
    expect(await textOf('/exported/x')).toBe('/exported/x')
  })

  test('serve with options, say what happens on errors, and be the main module', async () => {
    box.write('options/index.ts', `if (import.meta.main) Deno.serve({ port: 8000, onError: (error) => new Response(error.message, { status: 418 }) }, (request) => {
      if (request.method === 'POST') throw new Error('short and stout')
      return new Response('fine')
    })`)
    expect(await textOf('/options')).toBe('fine')
    const failed = await box.call('/options', { method: 'POST' })
    expect([failed.status, await failed.text()]).toEqual([418, 'short and stout'])
  })

  test('serve as early releases of the standard library do', async () => {
    box.write('early/index.ts', `const listener = Deno.listen({ port: 8000, hostname: '0.0.0.0', transport: 'tcp' })
    async function answer(connection: Deno.Conn) {
      const http = Deno.serveHttp(connection)
      for (;;) {
        const event = await http.nextRequest()
        if (event === null) break
        void (async () => event.respondWith(new Response('early ' + await event.request.text())))()
      }
    }
    for (;;) void answer(await listener.accept())`)
    const answers = await Promise.all(['1', '2', '3'].map((body) => textOf('/early', { method: 'POST', body })))
    expect(answers).toEqual(['early 1', 'early 2', 'early 3'])
  })

  test('name its modules in a deno.json, an import map of its own, or one for all', async () => {
    box.write('_shared/words.ts', 'export const word = "shared"')
    box.write('import_map.json', '{ "imports": { "words": "./_shared/words.ts" } }')
    box.write('mapped/index.ts', 'import { word } from "words"; Deno.serve(() => new Response(word))')
    expect(await textOf('/mapped')).toBe('shared')
    box.write('own/words.ts', 'export const word = "own"')
    box.write('own/deno.json', '{ "imports": { "words": "./words.ts" } }')
    box.write('own/index.ts', 'import { word } from "words"; Deno.serve(() => new Response(word))')
    expect(await textOf('/own')).toBe('own')
    rmSync(join(box.folder, 'functions', 'import_map.json'))
  })

  test('be held to its deno.lock, which stays as it is', async () => {
    box.write('locked/deno.json', '{ "imports": {} }')
    box.write('locked/deno.lock', '{ "version": "99" }')
    box.write('locked/index.ts', 'Deno.serve(() => new Response("locked"))')
    expect((await box.call('/locked')).status).toBe(503)
    const lock = '{ "version": "5", "specifiers": {} }'
    box.write('locked/deno.lock', lock)
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(await textOf('/locked')).toBe('locked')
    expect(readFileSync(join(box.folder, 'functions/locked/deno.lock'), 'utf8')).toBe(lock)
  })

  test('read files beside it and those config.toml names, and stand elsewhere', async () => {
    box.write('mailing/greeting.txt', 'hello')
    box.write('../letters/kind.html', '<p>')
    box.write('../private.txt', 'no')
    box.write('mailing/index.ts', `Deno.serve(async () => Response.json([
      await Deno.readTextFile('./greeting.txt'),
      await Deno.readTextFile(new URL('../../letters/' + Deno.env.get('TONE') + '.html', import.meta.url)),
      await Deno.readTextFile(new URL('../../private.txt', import.meta.url)).catch((error) => error.name),
    ]))`)
    expect(await textOf('/mailing')).toBe('["hello","<p>","NotCapable"]')
    box.write('other/main.ts', 'Deno.serve(() => new Response("elsewhere"))')
    expect(await textOf('/renamed')).toBe('elsewhere')
  })

  test('go on in the background after its answer, and hears that it ends', async () => {
    box.write('later/index.ts', `addEventListener('beforeunload', (event) => console.log('ending', event.detail.reason))
    Deno.serve(() => {
      EdgeRuntime.waitUntil(new Promise((resolve) => setTimeout(resolve, 600)).then(() => console.log('done later')))
      return new Response('first')
    })`)
    expect(await textOf('/later')).toBe('first')
    // Its files change while it works in the background.
    box.write('later/more.ts', '')
    await new Promise((resolve) => setTimeout(resolve, 120))
    expect(await textOf('/later')).toBe('first')
    await until(async () => {
      const messages = (await box.logs('?function=later')).filter(({ level }) => level === 'info').map(({ message }) => message)
      return messages.includes('done later') && messages.includes('ending early_drop') ? messages : undefined
    })
  })

  test('run anew for each request where the project says so, and is ended when it has nothing to do', async () => {
    const oneshot = openTestFunctions({ policy: 'oneshot' })
    oneshot.write('count/index.ts', 'let calls = 0\nDeno.serve(() => new Response(String(++calls)))')
    for (let calls = 0; calls < 3; calls += 1) expect(await (await oneshot.call('/count')).text()).toBe('1')
    await oneshot.close()

    const brief = openTestFunctions({ limits: { idleMs: 3_000 } })
    brief.write('count/index.ts', `let calls = 0
    addEventListener('beforeunload', () => console.log('ending'))
    Deno.serve(() => new Response(String(++calls)))`)
    expect(await (await brief.call('/count')).text()).toBe('1')
    expect(await (await brief.call('/count')).text()).toBe('2')
    await until(async () => ((await brief.logs('?function=count')).some(({ message }) => message === 'ending') ? true : undefined))
    expect(await (await brief.call('/count')).text()).toBe('1')
    await brief.close()
  })

  test('be changed again and again while earlier calls still run', async () => {
    const version = (number: number) => box.write('busy/index.ts', `Deno.serve((request) => request.method === 'GET' ? new Response('${number}') : new Response(new ReadableStream({ start: (out) => out.enqueue(new TextEncoder().encode('open')) })))`)
    const open: Response[] = []
    for (let number = 0; number < 5; number += 1) {
      version(number)
      await new Promise((resolve) => setTimeout(resolve, 120))
      open.push(await box.call('/busy', { method: 'POST' }))
      expect(await textOf('/busy')).toBe(String(number))
    }
    await expect(open[0]?.text()).rejects.toThrow('ended in the middle')
    await Promise.allSettled(open.slice(1).map((answer) => answer.body?.cancel()))
  })

  test('make room for another when there are as many as may be', async () => {
    const narrow = openTestFunctions({ limits: { workers: 2 } })
    for (const name of ['one', 'two', 'three']) narrow.write(`${name}/index.ts`, `Deno.serve(async (request) => { if (request.method === 'POST') await new Promise((done) => setTimeout(done, 600)); return new Response('${name}') })`)
    const ask = async (name: string, method = 'GET') => (await narrow.call(`/${name}`, { method })).text()
    for (const name of ['one', 'two', 'three', 'one']) expect(await ask(name)).toBe(name)
    await ask('two')
    const busy = ['one', 'two'].map((name) => ask(name, 'POST'))
    expect(JSON.parse(await ask('three'))).toEqual({ code: 'TOO_MANY_REQUESTS', message: '2 functions are at work already' })
    expect(await Promise.all(busy)).toEqual(['one', 'two'])
    expect(await ask('three')).toBe('three')
    await narrow.close()
  })
})
