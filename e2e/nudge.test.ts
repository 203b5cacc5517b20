import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { addPerson, plugIn } from './factor-maker.ts'
import { signIn } from './people.ts'
import { box, desktop, linkIn, newestMail, openPage, page, phone, setStage, window } from './stage.ts'

/** Passkeys know names, not numbers: the app is opened at this one. */
const named = () => box.status.APP_URL.replace('127.0.0.1', 'localhost')

setStage({
  prepare: async (project) => {
    await writeFile(join(project, 'portico.json'), '{}')
    const file = join(project, 'supabase/config.toml')
    await writeFile(file, (await readFile(file, 'utf8')).replace('minimum_password_length = 8', 'minimum_password_length = 8\nenable_anonymous_sign_ins = true'))
  },
  appUrl: named,
})

const line = () => page.getByRole('region', { name: 'Suggestion' })
const addPasskey = () => line().getByRole('button', { name: 'Add a passkey' })
const notNow = () => line().getByRole('button', { name: 'Not now' })

/** What brings the line. It is fetched two seconds after the frame is there, in an idle moment. */
const nudgeChunk = /\/assets\/nudge-[^/]*\.js$/
const fetchedNudge = () => page.waitForResponse((answer) => nudgeChunk.test(answer.url()))
/** Timers end in the order they were set for: by then that of the frame is over, and what follows it on its way. */
const pastTheMoment = () => page.evaluate(() => new Promise<void>((resolve) => void setTimeout(() => requestIdleCallback(() => setTimeout(resolve, 0)), 2500)))
async function expectNoLine(): Promise<void> {
  await pastTheMoment()
  await page.waitForLoadState('networkidle')
  expect(await line().count()).toBe(0)
}

/** What the browser remembers, as if it had been remembered that long ago. */
const age = (days: number) =>
  page.evaluate((ms) => {
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith('portico.nudge.'))) {
      const kept = JSON.parse(localStorage.getItem(key) ?? '{}') as { saidAt: number }
      localStorage.setItem(key, JSON.stringify({ ...kept, saidAt: kept.saidAt - ms }))
    }
  }, days * 24 * 60 * 60_000)

describe('whoever signed in with a password and has no passkey', () => {
  test.each([['desktop', desktop], ['phone', phone]] as const)('is invited once on a %s, adds one in place, and is asked no more', async (_name, viewport) => {
    await openPage(viewport)
    await plugIn('internal')
    const person = await addPerson()
    await signIn(page, person, '/data/public/tickets')
    await line().waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    // It comes without taking the focus from where it is.
    expect(await line().evaluate((element) => element.contains(document.activeElement))).toBe(false)
    await addPasskey().click()
    await line().getByText('Your passkey is ready').waitFor()
    await line().getByRole('button', { name: 'Close' }).click()
    await line().waitFor({ state: 'detached' })
    const came = fetchedNudge()
    await page.reload()
    await came
    await expectNoLine()
    await page.goto('/account/security')
    await page.getByRole('button', { name: /^Rename / }).waitFor()
  })

  test('is told what went wrong in the line, and can try again', async () => {
    const { verified } = await plugIn('internal')
    const person = await addPerson()
    await signIn(page, person, '/data/public/tickets')
    await line().waitFor()
    await verified(false)
    await addPasskey().click()
    await expect.poll(() => line().getByRole('status').innerText(), { timeout: 20_000 }).not.toContain('Sign in with your face')
    await verified(true)
    await addPasskey().click()
    await line().getByText('Your passkey is ready').waitFor()
  })

  test('says "Not now" for thirty days, then for good; another person in this browser is asked for themselves', async () => {
    await plugIn('internal')
    const person = await addPerson()
    await signIn(page, person, '/data/public/tickets')
    await notNow().click()
    await line().waitFor({ state: 'detached' })
    let came = fetchedNudge()
    await page.reload()
    await came
    await expectNoLine()
    await age(31)
    await page.reload()
    await notNow().press('Enter')
    await line().waitFor({ state: 'detached' })
    await age(1000)
    came = fetchedNudge()
    await page.reload()
    await came
    await expectNoLine()
    await window.clearCookies()
    await signIn(page, await addPerson(), '/data/public/tickets')
    await line().waitFor()
  })

  test('finds no line on the security page, which offers the same, nor on the sign-in page', async () => {
    await plugIn('internal')
    const person = await addPerson()
    await page.goto('/sign-in')
    await expectNoLine()
    const came = fetchedNudge()
    await signIn(page, person, '/account/security')
    await came
    await expectNoLine()
    await page.goto('/account')
    await line().waitFor()
  })

  test('came by the link of a mail: invited as well', async () => {
    await plugIn('internal')
    const { email } = await addPerson()
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('button', { name: 'E-mail me a link or code' }).click()
    // The mail may be there before the page knows that it was sent; a link it knows nothing of is asked about.
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(linkIn(await newestMail(box.status, email), named()))
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await line().waitFor()
  })
})

describe('where no passkey can be added', () => {
  test('a second step is suggested, and leads to where it is set up', async () => {
    const person = await addPerson()
    // No device of the browser's own: nothing to keep a passkey in.
    await signIn(page, person, '/data/public/tickets')
    await line().getByRole('link', { name: 'Set up a second step' }).click()
    await page.waitForURL(/\/account\/security#two-step$/)
    const section = page.getByRole('region', { name: 'Two-step sign-in' })
    await section.waitFor()
    await expect.poll(() => section.evaluate((element) => element === document.activeElement && element.getBoundingClientRect().top < innerHeight), { timeout: 20_000 }).toBe(true)
    const came = fetchedNudge()
    await page.goto('/data/public/tickets')
    await came
    await expectNoLine()
  })

  test('at an address in numbers nobody is asked to make one there', async () => {
    await openPage(desktop, box.status.APP_URL)
    await plugIn('internal')
    const asked: string[] = []
    page.on('request', (request) => void (/\/auth\/v1\/passkeys(\/registration|$)/.test(request.url()) && asked.push(request.url())))
    await signIn(page, await addPerson(), '/data/public/tickets')
    await line().getByRole('link', { name: 'Set up a second step' }).waitFor()
    expect(asked).toEqual([])
  })
})

describe('nobody is invited', () => {
  test('who is a guest', async () => {
    await plugIn('internal')
    const fetched: string[] = []
    page.on('request', (request) => void (nudgeChunk.test(request.url()) && fetched.push(request.url())))
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Look around as a guest' }).click()
    await page.getByText('You are here as a guest.').waitFor()
    await expectNoLine()
    expect(fetched).toEqual([])
  })

  test('where the operator wants none of it', async () => {
    await window.route('**/portico.json', async (route) => {
      const settings = (await (await route.fetch()).json()) as { projects: { door?: object }[] }
      await route.fulfill({ json: { ...settings, projects: settings.projects.map((project) => ({ ...project, door: { ...project.door, nudge: false } })) } })
    })
    await plugIn('internal')
    const fetched: string[] = []
    page.on('request', (request) => void (nudgeChunk.test(request.url()) && fetched.push(request.url())))
    await signIn(page, await addPerson(), '/data/public/tickets')
    await page.getByRole('grid').waitFor()
    await expectNoLine()
    expect(fetched).toEqual([])
  })
})
