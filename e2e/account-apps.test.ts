import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { openClientApp, type ClientApp } from './oauth-client.ts'
import { people, signIn } from './people.ts'
import { box, page, phone, setStage, window } from './stage.ts'

setStage({
  async prepare(project) {
    const file = join(project, 'supabase/config.toml')
    await writeFile(file, (await readFile(file, 'utf8')).replace('enable_manual_linking = true', 'enable_manual_linking = false'))
    await appendFile(file, '\n[auth.oauth_server]\nenabled = true\nallow_dynamic_registration = true\n')
  },
})

let shop: ClientApp
beforeAll(async () => {
  shop = await openClientApp({ issuer: `${box.status.API_URL}/auth/v1`, name: 'Paper shop', scope: 'openid email profile', logo: `${box.status.APP_URL}/logo-of-the-shop.png` })
})
afterAll(() => shop?.close())

const section = (name: string) => page.getByRole('region', { name, exact: true })
/** What the application shows, on a page of its own. */
const shown = async (path: string) => JSON.parse(/<pre>(.*)<\/pre>/.exec(await (await fetch(`${shop.url}${path}`)).text())?.[1] ?? '{}') as Record<string, unknown>

async function letIn() {
  await page.goto(`${shop.url}/start`)
  await page.getByRole('heading', { name: /^Paper shop wants to sign you in/ }).waitFor()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.waitForURL((url) => url.origin === shop.url)
}

test('an application that was let in stands in the list, and is out as soon as its access is taken back', async () => {
  await window.route('**/logo-of-the-shop.png', (route) => route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>' }))
  await signIn(page, people.agent, '/account/data')
  const apps = section('Connected apps')
  await apps.getByText('No app has access to your account.').waitFor()
  await letIn()
  expect(await shown('/refresh')).toEqual({ renewed: true })

  await page.goto('/account/data')
  const row = apps.getByRole('listitem')
  await row.getByText('Paper shop', { exact: true }).waitFor()
  await row.getByText(/^May see .*your e-mail address/).waitFor()
  await row.getByText(/May act in your account/).waitFor()
  await row.getByText(/^Access since /).waitFor()
  expect(await row.locator('img').getAttribute('src')).toBe(`${box.status.APP_URL}/logo-of-the-shop.png`)
  expect(await axeViolations(page)).toEqual([])
  // It is a session of the person's too, by the application's name.
  await page.goto('/account/security')
  await section('Where you are signed in').getByText('Paper shop').waitFor()

  await page.goto('/account/data')
  await apps.getByRole('button', { name: 'Take back access from Paper shop' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('The app is signed out of your account.').waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await apps.getByRole('button', { name: 'Take back access from Paper shop' }).click()
  await question.getByRole('button', { name: 'Take back access' }).click()
  await apps.getByText('Paper shop has no access any more.').waitFor()
  expect(await apps.getByRole('listitem').count()).toBe(0)
  expect(await axeViolations(page)).toEqual([])
  expect(await shown('/refresh')).toMatchObject({ failed: expect.any(String) })
  await page.reload()
  await apps.getByText('No app has access to your account.').waitFor()

  // Let in again, it has to ask again.
  await letIn()
  expect(await shown('/refresh')).toEqual({ renewed: true })
})

test('a failure to take access back is said in the question, and the application stays in the list', async () => {
  await signIn(page, people.owner, '/account/data')
  await letIn()
  await page.setViewportSize(phone)
  await page.goto('/account/data')
  const apps = section('Connected apps')
  await page.route('**/auth/v1/user/oauth/grants?*', (route) => route.abort())
  await apps.getByRole('button', { name: 'Take back access from Paper shop' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Take back access' }).click()
  await question.getByText(/^Paper shop still has access/).waitFor()
  await page.unroute('**/auth/v1/user/oauth/grants?*')
  await question.getByRole('button', { name: 'Take back access' }).click()
  await apps.getByText('Paper shop has no access any more.').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})

test('where a project lets nobody connect accounts by themselves, that is said once it has been told, and offered no more', async () => {
  await signIn(page, people.customer, '/account')
  const accounts = section('Connected accounts')
  await accounts.getByRole('button', { name: /^Connect / }).click()
  await accounts.getByText('This project does not let people connect further accounts by themselves.').waitFor()
  expect(await accounts.getByRole('button').count()).toBe(0)
  await page.reload()
  await accounts.getByText('This project does not let people connect further accounts by themselves.').waitFor()
  expect(await accounts.getByRole('button').count()).toBe(0)
  expect(await axeViolations(page)).toEqual([])
})
