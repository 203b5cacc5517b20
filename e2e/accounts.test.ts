import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { people, signIn } from './people.ts'
import { box, page, phone, setStage, window } from './stage.ts'

setStage()

const row = (address: string) => page.getByRole('listitem').filter({ hasText: address })
const inUse = (tab: Page, address: string) => tab.getByRole('button', { name: 'Account' }).filter({ hasText: address }).waitFor()

/** Signs in as the agent, then as the customer beside it, the way the person's menu leads. */
async function signInBoth() {
  await signIn(page, people.agent, '/account')
  await page.getByRole('button', { name: 'Account' }).filter({ hasText: people.agent.email }).click()
  await page.getByRole('menuitem', { name: 'Switch account' }).click()
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
  await page.getByRole('button', { name: 'Use another account' }).click()
  await page.getByLabel('E-mail address').fill(people.customer.email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(people.customer.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await inUse(page, people.customer.email)
}

test('a person changes between two accounts without a password, sees what each may see, and every tab follows', async () => {
  await signInBoth()
  const other = await window.newPage()
  await other.goto('/data/public/organizations')
  await inUse(other, people.customer.email)
  const rows = () => other.getByRole('grid').getAttribute('aria-rowcount')
  await other.getByRole('gridcell').first().waitFor()
  const forCustomer = await rows()

  await page.goto('/accounts')
  await row(people.agent.email).getByRole('button').first().click()
  await page.waitForURL((url) => url.pathname.startsWith('/data'))
  await inUse(page, people.agent.email)
  await inUse(other, people.agent.email)
  await expect.poll(rows, { timeout: 15_000 }).not.toBe(forCustomer)
  await other.close()
})

test('who signs out finds the other account at the door, and a session that was ended meanwhile is said so', async () => {
  await signInBoth()
  await page.getByRole('button', { name: 'Account' }).filter({ hasText: people.customer.email }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Choose an account' }).click()
  await row(people.agent.email).waitFor()
  const key = box.status.SECRET_KEY
  const { users } = (await fetch(`${box.status.API_URL}/auth/v1/admin/users`, { headers: { apikey: key } }).then((answer) => answer.json())) as { users: { id: string; email: string }[] }
  const agent = users.find(({ email }) => email === people.agent.email)
  // A new password ends every session there is.
  await fetch(`${box.status.API_URL}/auth/v1/admin/users/${agent?.id}`, { method: 'PUT', headers: { apikey: key, 'content-type': 'application/json' }, body: JSON.stringify({ password: people.agent.password }) })
  await row(people.agent.email).getByRole('button').first().click()
  await page.getByRole('alert').filter({ hasText: 'is no longer signed in here' }).waitFor()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await expect.poll(() => page.getByLabel('E-mail address').inputValue()).toBe(people.agent.email)
})

test('an account is taken off the list, and with the last one nothing is left to choose', async () => {
  await signInBoth()
  await page.goto('/accounts')
  await row(people.agent.email).getByRole('button', { name: /^Sign out / }).click()
  await row(people.agent.email).waitFor({ state: 'detached' })
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('portico.accounts.')))).toEqual([])
  await row(people.customer.email).getByRole('button').first().click()
  await inUse(page, people.customer.email)
})

test('the page works by keyboard, on a phone too, and axe finds nothing in light and dark', async () => {
  await signInBoth()
  await page.goto('/accounts')
  await row(people.agent.email).waitFor()
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    expect(await axeViolations(page)).toEqual([])
  }
  await page.setViewportSize(phone)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await row(people.agent.email).getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname.startsWith('/data'))
})
