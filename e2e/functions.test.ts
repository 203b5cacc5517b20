import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { people, pressInTurn, signIn } from './people.ts'
import { box, browser, forgive, openWindow, page, phone, setStage, window } from './stage.ts'

/** Functions a project may have, written for these journeys. */
const sources = {
  echo: `Deno.serve(async (request) => {
    const type = request.headers.get('content-type') ?? ''
    const body = type.startsWith('multipart/') ? Object.fromEntries(await request.formData()) : await request.text()
    const { pathname, searchParams } = new URL(request.url)
    const status = Number(searchParams.get('status') ?? 200)
    const token = (request.headers.get('authorization') ?? '').split('.')[1]
    const email = token ? JSON.parse(atob(token.replaceAll('-', '+').replaceAll('_', '/'))).email ?? null : null
    return Response.json({ method: request.method, pathname, query: Object.fromEntries(searchParams), type, body, note: request.headers.get('x-note'), email }, { status, headers: { 'x-own': 'yes' } })
  })`,
  ticks: `Deno.serve(() => {
    let timer, n = 0
    const body = new ReadableStream({
      start(controller) {
        timer = setInterval(() => controller.enqueue(new TextEncoder().encode('event: tick\\ndata: number ' + (n += 1) + '\\n\\n')), 100)
      },
      cancel() { clearInterval(timer) },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })`,
  picture: `Deno.serve(() => new Response('<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><script>document.title = "run"</script><rect width="120" height="60"/></svg>', { headers: { 'content-type': 'image/svg+xml' } }))`,
  bytes: `Deno.serve(() => new Response(new Uint8Array(3000).fill(7), { headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="sevens.bin"' } }))`,
  long: `Deno.serve(() => Response.json(Array.from({ length: 5000 }, (_, id) => ({ id, name: 'Record number ' + id, big: 'x' }))))`,
  broken: `const nothing: = 1; Deno.serve(`,
}

setStage({
  async prepare(project) {
    for (const [name, source] of Object.entries(sources)) {
      const folder = join(project, 'supabase/functions', name)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'index.ts'), source)
    }
  },
})
beforeEach(() => window.grantPermissions(['clipboard-read', 'clipboard-write']))

const send = () => page.getByRole('button', { name: 'Send', exact: true }).click()
const reply = () => page.getByRole('region', { name: 'Reply', exact: true })
const bodyShown = () => page.getByRole('region', { name: 'Body of the reply' })
const part = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }).first().click()
const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
const choose = async (menu: string, item: string | RegExp) => {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

describe('calling', () => {
  test('the project’s functions are listed and answer as the person who calls', async () => {
    await signIn(page, people.agent, '/functions')
    await page.getByRole('link', { name: /office-hours/ }).waitFor()
    await page.getByRole('link', { name: /^echo/ }).click()
    await page.getByLabel('JSON', { exact: true }).last().fill('{"ticket_id": 4821}')
    await part('Query')
    await page.getByRole('button', { name: 'Add parameter' }).click()
    await page.getByLabel('Name', { exact: true }).fill('time_zone')
    await page.getByLabel('Value', { exact: true }).fill('Europe/Lisbon & more')
    await part('Headers')
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Name', { exact: true }).fill('x-note')
    await page.getByLabel('Value', { exact: true }).fill('hello')
    await page.getByLabel('Path after the name').fill('/deeper/in')
    await send()
    await reply().getByText('200 OK').waitFor()
    const text = await bodyShown().innerText()
    expect(text).toContain('"email": "agent@helpdesk.example"')
    expect(text).toContain('"pathname": "/echo/deeper/in"')
    expect(text).toContain('"time_zone": "Europe/Lisbon & more"')
    expect(text).toContain('"note": "hello"')
    expect(text).toContain('"type": "application/json"')
    await reply().getByText(/first byte [\d,]+ ms/).waitFor()
    await reply().getByRole('tab', { name: /^Headers/ }).click()
    await reply().getByRole('rowheader', { name: 'x-own' }).waitFor()
  })

  test('the public key alone carries nobody’s token', async () => {
    await signIn(page, people.agent, '/functions/echo')
    await part('Options')
    await page.getByText('Public key alone').click()
    await send()
    await expect.poll(() => bodyShown().innerText()).toContain('"email": null')
    await expect.poll(() => new URL(page.url()).searchParams.get('as')).toBe('public')
  })

  test('text, a form and a file go as what they are', async () => {
    await signIn(page, people.agent, '/functions/echo?body=text')
    await page.getByLabel('Text', { exact: true }).last().fill('plain words')
    await send()
    await expect.poll(() => bodyShown().innerText()).toContain('"type": "text/plain"')
    await page.getByText('Form', { exact: true }).click()
    await page.getByRole('button', { name: 'Add field' }).click()
    await page.getByLabel('Name', { exact: true }).fill('colour')
    await page.getByLabel('Value', { exact: true }).fill('green')
    await send()
    await expect.poll(() => bodyShown().innerText()).toContain('"colour": "green"')
    await page.locator('label').filter({ hasText: /^File$/ }).first().click()
    await send()
    await page.getByText('Choose a file.').waitFor()
    await page.locator('input[type=file]').setInputFiles({ name: 'note.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') })
    await send()
    await expect.poll(() => bodyShown().innerText()).toContain('"type": "text/csv"')
  })

  test('what cannot be sent is said where it is mended', async () => {
    await signIn(page, people.agent, '/functions/echo')
    const json = page.getByLabel('JSON', { exact: true }).last()
    await json.fill('{ticket: 1}')
    await send()
    await expect.poll(() => json.getAttribute('aria-invalid')).toBe('true')
    await json.fill('')
    await page.getByLabel('Path after the name').fill('/../../auth/v1/user')
    await send()
    await page.getByRole('alert').getByText(/no \?, #, blanks or/).waitFor()
    expect(await reply().getByText('The reply will stand here').count()).toBe(1)
  })
})

describe('replies', () => {
  test('events are shown as they come, until one stops them', async () => {
    await signIn(page, people.agent, '/functions/ticks')
    await send()
    await reply().getByText('number 3', { exact: true }).waitFor()
    await reply().getByText('Receiving…').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await reply().getByText('You stopped it. What had come by then is shown.').waitFor()
    await reply().getByText('number 1', { exact: true }).waitFor()
  })

  test('a long one is searched through by keys', async () => {
    await signIn(page, people.agent, '/functions/long')
    await send()
    await bodyShown().getByText('Record number 0').waitFor()
    const search = page.getByRole('searchbox', { name: 'Search in the reply' })
    await search.fill('record number 4999')
    await bodyShown().locator('mark').waitFor()
    await page.getByText('1 of 1').waitFor()
    await search.fill('"x"')
    await page.getByText('1 of 5000').waitFor()
    await search.press('Shift+Enter')
    await page.getByText('5000 of 5000').waitFor()
    await bodyShown().getByText('Record number 4999').waitFor()
  })

  test('a picture is shown and does not run; bytes are taken along under their own name', async () => {
    await signIn(page, people.agent, '/functions/picture')
    await send()
    const picture = page.getByRole('img', { name: 'Picture in the reply' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(120)
    expect(await page.title()).not.toBe('run')
    await page.goto('/functions/bytes')
    await send()
    await page.getByText('This is not text').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
    expect(download.suggestedFilename()).toBe('sevens.bin')
  })

  test('a refusal says who refused, and what to do', async () => {
    await signIn(page, people.agent, '/functions/broken')
    await send()
    await page.getByText('The function did not start').waitFor()
    await page.getByText('BOOT_ERROR').first().waitFor()
    await page.goto('/functions/no-such-function')
    await send()
    await page.getByText('There is no such function').waitFor()
    await page.goto('/functions/echo?query=status%3D409')
    await send()
    await page.getByText('The function ran, and refused').waitFor()
  })

  test('without a network the call says so, and keeps what was filled in', async () => {
    await signIn(page, people.agent, '/functions/echo')
    await page.getByLabel('JSON', { exact: true }).last().fill('{"kept": true}')
    await window.setOffline(true)
    await send()
    await reply().getByText('You are offline').waitFor()
    await window.setOffline(false)
    await page.reload()
    expect(await page.getByLabel('JSON', { exact: true }).last().inputValue()).toBe('{"kept": true}')
    await send()
    await expect.poll(() => bodyShown().innerText()).toContain('kept')
  })
})

describe('trouble on the way', () => {
  test('a call cut off by the browser is told apart from a dead network', async () => {
    await signIn(page, people.agent, '/functions/echo')
    // What a page meets when a function answers no preflight: the request fails while the project is there.
    await page.route('**/functions/v1/echo', (route) => route.abort('failed'))
    await send()
    await reply().getByText('The browser was not given the answer').waitFor()
    expect(await page.getByText(/^You are offline/).count()).toBe(0)
    await page.unroute('**/functions/v1/echo')
    forgive(/./)
  })

  test('a box that dies under a stream costs what had not come, and nothing more', async () => {
    await signIn(page, people.agent, '/functions/ticks')
    await send()
    await reply().getByText('number 2', { exact: true }).waitFor()
    await box.kill()
    await reply().getByText('The line broke before the end. What had come by then is shown.').waitFor()
    await reply().getByText('number 1', { exact: true }).waitFor()
    await send()
    await reply().getByText('The project does not answer').waitFor()
    await box.restart()
    await send()
    await reply().getByText('number 2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await reply().getByText(/^You stopped it/).waitFor()
    // Other parts of the page say in the console that they could not reach it.
    forgive(/./)
  })

  test('a refusal of the function’s own renews no session', async () => {
    await signIn(page, people.agent, '/functions/echo?query=status%3D401')
    const renewals: string[] = []
    page.on('request', (request) => request.url().includes('grant_type=refresh_token') && renewals.push(request.url()))
    await send()
    await page.getByText('The function ran, and refused').waitFor()
    await send()
    await page.waitForTimeout(500)
    expect(renewals).toEqual([])
  })
})

describe('an operator’s list', () => {
  test('names, explains and fills in', async () => {
    const title = 'Sum up a ticket for those who were not there'
    await page.route('**/portico.json', async (route) => {
      const answer = await route.fetch()
      const config = (await answer.json()) as Record<string, unknown>
      await route.fulfill({ json: { ...config, functions: [{ name: 'echo', title, description: 'Gives back what it was sent.', method: 'PUT', body: { ticket_id: 4821 }, headers: { 'x-note': 'listed' } }] } })
    })
    await signIn(page, people.agent, '/functions')
    await page.getByText('Gives back what it was sent.').waitFor()
    await page.getByRole('link', { name: new RegExp(title) }).click()
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    expect(await page.getByLabel('JSON', { exact: true }).last().inputValue()).toBe('{\n  "ticket_id": 4821\n}')
    await send()
    await expect.poll(() => bodyShown().innerText()).toContain('"note": "listed"')
    expect(await bodyShown().innerText()).toContain('"method": "PUT"')
  })

  test('with a secret in it is refused before anything is called', async () => {
    await page.route('**/portico.json', async (route) => {
      const config = (await (await route.fetch()).json()) as Record<string, unknown>
      await route.fulfill({ json: { ...config, functions: [{ name: 'echo', headers: { Authorization: 'Bearer of-somebody' } }] } })
    })
    await page.goto('/')
    await page.getByText('A function’s headers hold a secret.').waitFor()
    await page.getByText('functions[0].headers.Authorization').waitFor()
  })
})

describe('kept and copied', () => {
  const secretValue = 'k-5f3a-secret-value'
  const fillWithSecret = async () => {
    await page.getByLabel('JSON', { exact: true }).last().fill(`{"ticket_id": 7, "password": "${secretValue}"}`)
    await part('Headers')
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Name', { exact: true }).fill('x-api-key')
    await page.getByLabel('Value', { exact: true }).fill(secretValue)
    await part('Body')
  }
  const stored = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage).filter(([key]) => key.startsWith('portico.examples.'))))

  test('an example is saved without its secrets, used, renamed, deleted and brought back', async () => {
    await signIn(page, people.agent, '/functions/echo')
    await fillWithSecret()
    await choose('Examples', 'Save as example…')
    await page.getByText('This seems to hold a secret').waitFor()
    await page.getByRole('dialog').getByLabel('Name').fill('Ticket seven')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect.poll(stored).toContain('Ticket seven')
    expect(await stored()).not.toContain(secretValue)
    await page.goto('/functions/echo')
    await choose('Examples', 'Ticket seven')
    expect(await page.getByLabel('JSON', { exact: true }).last().inputValue()).toBe('{"ticket_id": 7, "password": ""}')
    await choose('Examples', 'Manage examples…')
    await page.getByLabel('Rename Ticket seven').fill('Number seven')
    await page.getByLabel('Rename Ticket seven').press('Enter')
    await page.getByRole('button', { name: 'Delete Number seven' }).click()
    await page.getByText('There are none of this function yet.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(stored).toContain('Number seven')
  })

  test('no copy holds a key, a token or a password', async () => {
    await signIn(page, people.agent, '/functions/echo')
    await fillWithSecret()
    await send()
    await reply().getByText('200 OK').waitFor()
    const cookies = (await window.cookies()).filter(({ name }) => /auth-token(\.\d+)?$/.test(name)).sort((one, other) => one.name.localeCompare(other.name))
    const tokens = JSON.parse(Buffer.from(decodeURIComponent(cookies.map(({ value }) => value).join('')).replace(/^base64-/, ''), 'base64url').toString()) as { access_token: string; refresh_token: string }
    const secrets = [tokens.access_token, tokens.access_token.split('.')[2] ?? '', tokens.refresh_token, box.status.PUBLISHABLE_KEY, secretValue, people.agent.password]
    for (const [item, mark] of [[/As curl/, 'curl '], [/As supabase-js code/, 'supabase.functions.invoke']] as const) {
      await choose('Copy', item)
      await expect.poll(clipboard).toContain(mark)
      const copied = await clipboard()
      expect(copied).toContain('ticket_id')
      for (const secret of secrets) expect(copied).not.toContain(secret)
    }
    const shown = await page.content()
    for (const secret of [tokens.access_token, tokens.refresh_token, box.status.PUBLISHABLE_KEY]) expect(shown).not.toContain(secret)
  })

  test('the last calls fill their request in again', async () => {
    await signIn(page, people.agent, '/functions/echo?query=status%3D418')
    await send()
    await reply().getByText(/^418/).waitFor()
    await page.getByRole('link', { name: 'All functions' }).click()
    await page.getByRole('region', { name: 'Called in this page' }).getByRole('link').click()
    await page.getByRole('region', { name: 'Last calls' }).getByRole('button').click()
    await expect.poll(() => new URL(page.url()).searchParams.get('query')).toBe('status=418')
    await send()
    await reply().getByText(/^418/).waitFor()
  })
})

describe('for everyone', () => {
  test('keys alone find a function, send and read', async () => {
    await signIn(page, people.agent, '/data')
    await page.getByRole('link', { name: 'Edge functions' }).waitFor()
    await pressInTurn(page, 'ge')
    const name = page.getByLabel('Name of the function')
    await name.waitFor()
    await name.focus()
    await page.keyboard.type('echo')
    await page.keyboard.press('Enter')
    const json = page.getByLabel('JSON', { exact: true }).last()
    await json.focus()
    await page.keyboard.type('{"by": "keys"}')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => bodyShown().innerText()).toContain('keys')
  })

  test('the palette finds a function by its name', async () => {
    await signIn(page, people.agent, '/data')
    await page.getByRole('link', { name: 'Edge functions' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search tables, records, actions').fill('office-h')
    await page.getByRole('menuitem', { name: /office-hours/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'office-hours', level: 1 }).waitFor()
  })

  test.each(['light', 'dark'] as const)('axe finds nothing, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await signIn(page, people.agent, '/functions')
    await page.getByRole('link', { name: /office-hours/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    for (const name of ['echo', 'broken', 'bytes', 'picture']) {
      await page.goto(`/functions/${name}`)
      await send()
      await reply().getByText(/whole/).waitFor()
      expect(await axeViolations(page), name).toEqual([])
    }
    for (const tab of ['Query', 'Headers', 'Options']) {
      await part(tab)
      expect(await axeViolations(page), tab).toEqual([])
    }
  })

  test('a phone has room for request and reply', async () => {
    const small = await openWindow(browser, box.status.APP_URL, phone)
    const tab = await small.newPage()
    await signIn(tab, people.agent, '/functions/echo')
    await tab.getByLabel('JSON', { exact: true }).last().fill(`{"long": "${'unbroken'.repeat(60)}"}`)
    await tab.getByRole('button', { name: 'Send', exact: true }).click()
    await tab.getByText(/whole/).waitFor()
    expect(await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(await axeViolations(tab)).toEqual([])
    await tab.goto('/functions')
    await tab.getByRole('link', { name: /office-hours/ }).waitFor()
    expect(await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(await axeViolations(tab)).toEqual([])
    await small.close()
  })
})
