import type { Page } from 'playwright-core'

export const people = {
  owner: { email: 'owner@helpdesk.example', password: 'harbor-owner-2026' },
  agent: { email: 'agent@helpdesk.example', password: 'harbor-agent-2026' },
  customer: { email: 'customer@helpdesk.example', password: 'harbor-customer-2026' },
}

/** Presses keys in turn as fast as a hand does, however busy the page is. */
export const pressInTurn = (page: Page, keys: string): Promise<unknown> => Promise.all([...keys].map((key) => page.keyboard.press(key)))

/** Signs out on this device alone, in the account: no other session of the person's is touched. */
export async function signOutHere(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Signing out' }).getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/\/sign-in/)
}

/** Signs in through the page, as a person does, and waits until the door is behind them. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }, to = '/'): Promise<void> {
  await page.goto(`/sign-in?to=${encodeURIComponent(to)}`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
}
