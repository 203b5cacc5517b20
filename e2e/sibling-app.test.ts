import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { keepEvidence } from './evidence.ts'
import { people, signIn, signOutHere } from './people.ts'
import { openSiblingApp } from './sibling-app.ts'
import { openBox, openBrowser, openWindow, watchForFaults, type Box } from './stage.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

let window: BrowserContext
let page: Page
let faults: string[]
const open = async (appUrl: string) => {
  window = await openWindow(browser, appUrl)
  page = await window.newPage()
  faults = watchForFaults(page)
}
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepEvidence(task, browser)
  expect(faults).toEqual([])
  await window.close()
})

const told = async (at: Page = page): Promise<{ email?: string | null; signedOut?: boolean }> => JSON.parse((await at.locator('pre').textContent()) ?? '{}') as never

async function signInHere({ email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

interface Places {
  app: string
  sibling: string
}

/** The whole of what two apps with one session promise, wherever they stand. */
async function shareOneSession({ app, sibling }: Places): Promise<void> {
  await page.goto(`${sibling}/orders?page=2`)
  await page.waitForURL((url) => url.origin === app && url.pathname === '/sign-in')
  await signInHere(people.agent)
  await page.waitForURL(`${sibling}/orders?page=2`)
  expect(await told()).toEqual({ email: people.agent.email })
  // The sign-in has left no page in between to come back to.
  await page.goto(`${sibling}/again`)
  await page.goBack()
  expect(page.url()).toBe(`${sibling}/orders?page=2`)

  const inside = await window.newPage()
  await inside.goto(`${app}/account`)
  await inside.getByText(people.agent.email).first().waitFor()
  await page.goto(`${sibling}/refresh`)
  expect(await told()).toMatchObject({ email: people.agent.email })
  await inside.reload()
  await inside.getByText(people.agent.email).first().waitFor()

  await page.goto(`${sibling}/sign-out`)
  expect(await told()).toEqual({ signedOut: true })
  await inside.bringToFront()
  await inside.reload()
  await inside.waitForURL((url) => url.pathname === '/sign-in')
  await inside.close()

  await page.goto(`${sibling}/orders`)
  await page.waitForURL((url) => url.pathname === '/sign-in')
  await signInHere(people.owner)
  await page.waitForURL(`${sibling}/orders`)
  await page.goto(`${app}/account/security`)
  await signOutHere(page)
  await page.goto(`${sibling}/who`)
  expect(await told()).toEqual({ email: null })
}

interface Stage extends Places {
  box: Box
  close(): Promise<void>
}

/** A box and an app beside it: two ports of one host, or two hosts of a parent domain. */
async function openStage(parent?: string): Promise<Stage> {
  let box: Box | undefined
  const at = (name: string, port: string | number) => (parent ? `http://${name}.${parent}:${port}` : `http://127.0.0.1:${port}`)
  const boxPort = () => new URL(box?.status.API_URL ?? '').port
  const sibling = await openSiblingApp(() => ({
    projectUrl: box?.status.API_URL ?? '',
    key: box?.status.PUBLISHABLE_KEY ?? '',
    cookieName: `sb-${at('portal', boxPort()).replace(/[^a-z0-9]+/g, '-')}-auth-token`,
    ...(parent ? { cookieDomain: parent } : {}),
    signIn: `${at('portal', boxPort())}/sign-in`,
  }))
  const settings = { redirects: [`${parent ? `http://*.${parent}` : 'http://127.0.0.1'}:${sibling.port}/**`], ...(parent ? { cookies: { domain: parent } } : {}) }
  if (parent) process.env['PORTICO_ALLOWED_HOSTS'] = `portal.${parent}`
  const opened = await openBox((project) => writeFile(join(project, 'portico.json'), JSON.stringify(settings)))
  delete process.env['PORTICO_ALLOWED_HOSTS']
  box = opened
  return {
    box: opened,
    app: at('portal', boxPort()),
    sibling: at('shop', sibling.port),
    async close() {
      await sibling.close()
      await opened.close()
    },
  }
}

describe('an app on another port of the same host', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  test('signs people in here, gets them back, and shares session, refresh and sign-out', async () => {
    await open(stage.app)
    await shareOneSession(stage)
  })

  test('gets whoever is signed in already without a question, and by a link to sign up as well', async () => {
    await open(stage.app)
    await signIn(page, people.customer)
    for (const path of ['/sign-in', '/sign-up']) {
      await page.goto(`${stage.app}${path}?redirect_to=${encodeURIComponent(`${stage.sibling}/who`)}`)
      await page.waitForURL(`${stage.sibling}/who`)
      expect(await told()).toEqual({ email: people.customer.email })
    }
  })

  test('that the operator has not listed gets nobody', async () => {
    await open(stage.app)
    await page.goto(`${stage.app}/sign-in?redirect_to=${encodeURIComponent('https://evil.example/x')}`)
    await signInHere(people.customer)
    await page.getByRole('heading', { name: 'You are signed in, but we did not take you back' }).waitFor()
    await page.getByText('The address was at evil.example.').waitFor()
    expect(new URL(page.url()).origin).toBe(stage.app)
    expect(await axeViolations(page)).toEqual([])
    for (const target of ['javascript:alert(document.domain)', '//evil.example', `${stage.sibling}@evil.example/`, `${stage.sibling.replace(/\d+$/, '1')}/who`]) {
      await page.goto(`${stage.app}/onward?to=${encodeURIComponent(target)}`)
      await page.getByRole('heading', { name: 'You are signed in, but we did not take you back' }).waitFor()
    }
    await page.goto(`${stage.app}/sign-in?redirect_to=${encodeURIComponent(`${stage.app}/account`)}`)
    await page.waitForURL(`${stage.app}/account`)
  })
})

test('an app on another host of a parent domain signs people in here, and shares session, refresh and sign-out', async () => {
  const stage = await openStage('portico.localhost')
  await open(stage.app)
  await shareOneSession(stage)
  const kept = await window.cookies()
  expect(kept.filter(({ name }) => /auth-token(\.\d+)?$/.test(name))).toEqual([])
  await stage.close()
})
