import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { people, signIn } from './people.ts'
import { box, browser, codeIn, forgive, linkIn, newestMail, openWindow, page, setStage, window } from './stage.ts'

// The app on one port, the project on another: as the app stands before a hosted project.
interface ServedApp {
  url: string
  close(): Promise<void>
}

async function openApp(projectUrl: string, key: string): Promise<ServedApp> {
  const child: ChildProcess = spawn(process.execPath, ['tools/start.mjs', '--url', projectUrl, '--key', key, '--port', '0'], { cwd: join(import.meta.dirname, '..'), stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout?.on('data', (chunk) => (said += chunk))
  child.stderr?.on('data', (chunk) => (said += chunk))
  const close = () => new Promise<void>((resolve) => (child.exitCode === null ? (child.once('exit', () => resolve()), child.kill('SIGINT')) : resolve()))
  for (let waited = 0; waited < 60_000; waited += 100) {
    const url = /App and API\s+(\S+)/.exec(said)?.[1]
    if (url) return { url, close }
    if (child.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await close()
  throw new Error(`The app did not come up:\n${said}`)
}

let app: ServedApp
setStage({ appUrl: () => app.url })
beforeAll(async () => {
  app = await openApp(box.status.API_URL, box.status.PUBLISHABLE_KEY)
})
afterAll(() => app?.close())

let count = 0
const newAddress = () => `elsewhere-${Date.now()}-${++count}@mail.example`
const password = 'four plain words here'
/** The same app under another host name, which the project's list of allowed addresses does not hold. */
const unlisted = () => app.url.replace('127.0.0.1', 'localhost')
/** The same box under another host name: to the app, a project of its own. */
const secondProject = () => box.status.API_URL.replace('127.0.0.1', 'localhost')

async function signUp(email: string, at = app.url): Promise<void> {
  await page.goto(`${at}/sign-up`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
}

describe('the app before a project on another origin', () => {
  test('signs in, reads and changes a row, and every tab follows', async () => {
    await signIn(page, people.owner, '/data/public/tickets')
    await page.getByRole('grid').getByRole('row').nth(1).waitFor()
    const second = await window.newPage()
    await second.goto('/account')
    await second.getByText(people.owner.email).first().waitFor()
    await second.getByLabel('Name', { exact: true }).fill(`Owner ${Date.now()}`)
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await second.getByText('Your name is saved').waitFor()
    await second.goto('/account/security')
    await second.getByRole('button', { name: 'Sign out', exact: true }).click()
    await second.waitForURL(/\/sign-in/)
    await page.getByText('You were signed out in another tab or window').waitFor()
  })

  test('signs up by the mail, whose link comes back to the app', async () => {
    const email = newAddress()
    await signUp(email)
    // The project's own address, which sends on with a code that only this browser's proof opens.
    await page.goto(linkIn(await newestMail(box.status, email), box.status.API_URL))
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    expect(new URL(page.url()).origin).toBe(new URL(app.url).origin)
  })

  test('that the project does not list lets in by the code of the mail', async () => {
    const email = newAddress()
    await signUp(email, unlisted())
    await page.getByLabel('Code from the mail').fill(codeIn(await newestMail(box.status, email)))
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    expect(new URL(page.url()).origin).toBe(new URL(unlisted()).origin)
  })

  test('that the project does not list, and whose link led to the project\'s own page: the address is confirmed, and the page says to sign in', async () => {
    const email = newAddress()
    await signUp(email, unlisted())
    const mail = await newestMail(box.status, email)
    const elsewhere = await openWindow(browser, box.status.APP_URL)
    const other = await elsewhere.newPage()
    await other.goto(linkIn(mail, box.status.API_URL))
    await other.getByRole('button', { name: 'Confirm and sign in' }).click()
    await other.getByRole('button', { name: 'Yes, sign in' }).waitFor()
    await elsewhere.close()
    await page.getByLabel('Code from the mail').fill(codeIn(mail))
    await page.getByText('your address is confirmed: sign in.').waitFor()
    await page.getByRole('link', { name: 'sign in instead' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
  })

  test('says so when the project is gone, and goes on when it is back', async () => {
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').waitFor()
    await page.route(`${box.status.API_URL}/**`, (route) => route.abort())
    await page.getByLabel('E-mail address').fill(people.agent.email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Password', { exact: true }).fill(people.agent.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('The server cannot be reached').waitFor()
    await page.unroute(`${box.status.API_URL}/**`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    forgive(/ERR_FAILED/)
  })
})

describe('connecting a project', () => {
  const connect = async (url: string, key: string) => {
    await page.getByLabel('Project URL').fill(url)
    await page.getByLabel('Public key').fill(key)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
  }
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie + location.href)

  test('names each fault, keeps no secret key, and lets the right one in', async () => {
    await page.goto('/connect')
    await connect('nonsense', box.status.PUBLISHABLE_KEY)
    await page.getByText('This is not an address.').waitFor()
    await connect('http://127.0.0.1:9', box.status.PUBLISHABLE_KEY)
    await page.getByText('Nothing answers at this address.').waitFor()
    await connect(app.url, box.status.PUBLISHABLE_KEY)
    await page.getByText('What answers there is not a Supabase-type backend.').waitFor()
    await connect(secondProject(), 'sb_publishable_of_another_project')
    await page.getByText('The project refuses this key.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Public key').fill(box.status.SECRET_KEY)
    await page.getByText('This is a secret key, and it was not kept.').waitFor()
    expect(await page.getByLabel('Public key').inputValue()).toBe('')
    expect(await kept()).not.toContain(box.status.SECRET_KEY)
    await page.goto(`/connect?url=${encodeURIComponent(secondProject())}&key=${box.status.SECRET_KEY}`)
    await page.getByText('This is a secret key, and it was not kept.').waitFor()
    expect(await kept()).not.toContain(box.status.SECRET_KEY)
    await connect(secondProject(), box.status.PUBLISHABLE_KEY)
    await page.waitForURL(/\/sign-in/)
    // The browser's own lines for what was refused on purpose.
    forgive(/ERR_CONNECTION_REFUSED|ERR_UNSAFE_PORT|CORS policy/)
  })

  test('keeps two projects with two people apart, switches between them, and forgets one', async () => {
    await signIn(page, people.agent, '/account')
    await page.goto('/connect')
    await connect(secondProject(), box.status.PUBLISHABLE_KEY)
    await page.waitForURL(/\/sign-in/)
    await signIn(page, people.customer, '/account')
    await page.getByText(people.customer.email).first().waitFor()
    expect((await window.cookies()).filter(({ name }) => /auth-token(\.0)?$/.test(name))).toHaveLength(2)

    const switchTo = async (host: string) => {
      await page.getByRole('button', { name: /^Switch project/ }).click()
      await page.getByRole('menuitemradio', { name: new RegExp(host) }).click()
      await page.waitForURL((url) => url.pathname.startsWith('/data'))
      await page.goto('/account')
    }
    await switchTo('127\\.0\\.0\\.1')
    await page.getByText(people.agent.email).first().waitFor()
    await switchTo('localhost')
    await page.getByText(people.customer.email).first().waitFor()

    await page.getByRole('button', { name: /^Switch project/ }).click()
    await page.getByRole('menuitem', { name: /^Remove/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove project' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    await page.goto('/account')
    await page.getByText(people.agent.email).first().waitFor()
    expect(await page.evaluate(() => localStorage.getItem('portico.projects'))).not.toContain('localhost')
    // The session of a project this browser forgets goes with it.
    expect((await window.cookies()).filter(({ name }) => /auth-token(\.0)?$/.test(name))).toHaveLength(1)
  })
})
