import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { openBox, openBrowser, openWindow, watchForFaults, type Box } from './stage.ts'
import { ethereumKey, solanaKey, type WalletKey } from './wallet-keys.ts'
import { placeWallets, type Answer } from './wallet-page.ts'

let box: Box
let browser: Browser
beforeAll(async () => {
  const prepare = async (project: string) => {
    const file = join(project, 'supabase/config.toml')
    const toml = (await readFile(file, 'utf8')).replace('[auth.email]', '[auth.web3.ethereum]\nenabled = true\n\n[auth.web3.solana]\nenabled = true\n\n[auth.email]')
    await writeFile(file, toml)
  }
  ;[box, browser] = await Promise.all([openBox(prepare), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await box?.close()
})

let window: BrowserContext
let page: Page
let faults: string[]
/** What wallets are asked, by method, and how each answers. */
let asked: { wallet: string; method: string; input: unknown }[]
let answer: (method: string, input: unknown, wallet: string) => Answer
beforeEach(async () => {
  window = await openWindow(browser, box.status.APP_URL)
  page = await window.newPage()
  faults = watchForFaults(page)
  asked = []
  await page.exposeFunction('askWallet', (wallet: string, method: string, input: unknown) => {
    asked.push({ wallet, method, input })
    return answer(method, input, wallet)
  })
})
afterEach(async () => {
  expect(faults).toEqual([])
  await window.close()
})

const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>parent.stolen = 1</script><rect width="8" height="8" fill="orange"/></svg>')}`
const gives = (value: unknown): Answer => ({ gives: value })
const refuses = (message: string, code?: number): Answer => ({ refuses: { message, ...(code !== undefined && { code }) } })

/** A wallet that does what it is asked to. */
const willing =
  (key: WalletKey, chainId = '0x1') =>
  (method: string, input: unknown): Answer => {
    switch (method) {
      case 'eth_requestAccounts':
        return gives([key.address])
      case 'eth_chainId':
        return gives(chainId)
      case 'personal_sign':
        return gives(key.sign(String((input as unknown[])[0])))
      case 'connect':
        return gives(key.address)
      case 'signMessage':
        return gives(key.sign(String(input)))
      default:
        return refuses(`${method} is not known`, 4200)
    }
  }

const isIn = () => page.waitForURL((url) => url.pathname.startsWith('/data'))
const person = async (): Promise<{ id: string; identities: { provider: string; identity_data: { custom_claims: Record<string, unknown> } }[] }> => {
  const token = await page.evaluate(() => {
    const value = document.cookie.split('; ').find((pair) => /auth-token(\.0)?=/.test(pair))?.split('=')[1] ?? ''
    return String((JSON.parse(atob(decodeURIComponent(value).slice('base64-'.length).replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>)['access_token'])
  })
  const told = await fetch(`${box.status.API_URL}/auth/v1/user`, { headers: { apikey: box.status.PUBLISHABLE_KEY, authorization: `Bearer ${token}` } })
  return (await told.json()) as Awaited<ReturnType<typeof person>>
}
const press = (name: string) => page.getByRole('button', { name: `Continue with ${name}`, exact: true }).click()

/** What the Ethereum wallet was given to sign. */
function signedText(): string {
  const [message] = asked.flatMap(({ method, input }) => (method === 'personal_sign' ? (input as unknown[]) : []))
  return Buffer.from(String(message).slice(2), 'hex').toString()
}

describe('Ethereum', () => {
  const place = () => page.addInitScript(placeWallets, [{ name: 'First Wallet', icon, form: 'ethereum' as const }, { name: 'Second\u202E Wallet', icon: 'https://elsewhere.example/pixel.png', form: 'ethereum' as const }])

  test('wallets are offered by their names and images, and the one that is chosen signs the person in', async () => {
    const key = ethereumKey()
    answer = willing(key, '0x89')
    await place()
    await page.goto('/sign-in')
    const [first, second] = [page.getByRole('button', { name: 'Continue with First Wallet' }), page.getByRole('button', { name: 'Continue with Second Wallet' })]
    await first.waitFor()
    // An image comes with the wallet; none is fetched, and what a drawing has in it does not run.
    expect(await first.locator('img').getAttribute('src')).toBe(icon)
    expect(await second.locator('img').count()).toBe(0)
    expect(await page.evaluate(() => 'stolen' in globalThis)).toBe(false)
    expect(await axeViolations(page)).toEqual([])
    expect(asked).toEqual([])

    await second.click()
    await isIn()
    expect(new Set(asked.map(({ wallet }) => wallet))).toEqual(new Set(['Second\u202E Wallet']))
    const { identities } = await person()
    expect(identities[0]).toMatchObject({ provider: 'web3', identity_data: { custom_claims: { chain: 'ethereum', network: '137', address: expect.stringMatching(new RegExp(key.address, 'i')) } } })
    const signed = signedText()
    expect(signed).toContain('\n\nSign in to Helpdesk. This costs nothing and moves nothing.\n\n')

    await window.clearCookies()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: /Second Wallet.*Last used/ }).waitFor()
    expect(await page.getByText('Last used').count()).toBe(1)
  })

  test('what is signed is plain ASCII in every language, whatever the project is called', async () => {
    answer = willing(ethereumKey())
    await page.route('**/portico.json', async (route) => {
      const own = (await (await route.fetch()).json()) as { projects: object[] }
      await route.fulfill({ json: { ...own, projects: own.projects.map((project) => ({ ...project, name: 'Café\n“Hafen” 港' })) } })
    })
    await page.addInitScript(() => localStorage.setItem('portico.language', 'ar'))
    await place()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: /First Wallet/ }).click()
    await isIn()
    const signed = signedText()
    expect(signed.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]+$/)
    expect(signed).toContain('\n\nSign in to Cafe Hafen. This costs')
  })

  test.each([
    ['refuses to sign', { personal_sign: refuses('User rejected the request.', 4001) }, 'The wallet did not sign'],
    ['shows no account', { eth_requestAccounts: gives([]) }, 'The wallet shares no account'],
    ['is locked', { eth_requestAccounts: refuses('Unauthorized', 4100) }, 'The wallet shares no account'],
    ['asks already', { eth_requestAccounts: refuses('Request already pending', -32_002) }, 'The wallet is asking already'],
    ['signs for another account', { personal_sign: gives(ethereumKey().sign('0x00')) }, 'The wallet’s signature was not accepted'],
  ] as const)('a wallet that %s is told apart, and can be asked again', async (_what, odd, words) => {
    const usual = willing(ethereumKey())
    answer = (method, input) => (odd as Record<string, Answer>)[method] ?? usual(method, input)
    await place()
    await page.goto('/sign-in')
    await press('First Wallet')
    await page.getByText(words).waitFor()
    expect(await axeViolations(page)).toEqual([])
    answer = usual
    await press('First Wallet')
    await isIn()
  })
})

describe('Solana', () => {
  test.each(['solana-sign-in', 'solana-sign-message'] as const)('a wallet of the wallet standard (%s) signs the person in with its own key, as the same person each time', async (form) => {
    const key = solanaKey()
    answer = willing(key)
    await page.addInitScript(placeWallets, [{ name: 'Sun Wallet', icon, form }])
    await page.goto('/sign-in')
    const button = page.getByRole('button', { name: 'Continue with Sun Wallet' })
    await button.waitFor()
    expect(await button.locator('img').getAttribute('src')).toBe(icon)
    await button.click()
    await isIn()
    const first = await person()
    expect(first.identities[0]).toMatchObject({ provider: 'web3', identity_data: { custom_claims: { chain: 'solana', address: key.address } } })
    await window.clearCookies()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: /Sun Wallet.*Last used/ }).click()
    await isIn()
    expect((await person()).id).toBe(first.id)
  })

  test('one that only stands on the page is connected first', async () => {
    const key = solanaKey()
    answer = willing(key)
    await page.addInitScript(placeWallets, [{ name: 'Old Wallet', icon, form: 'solana-on-page' as const }])
    await page.goto('/sign-in')
    await press('Solana wallet')
    await isIn()
    expect(asked.map(({ method }) => method)).toEqual(['connect', 'signMessage'])
    expect((await person()).identities[0]?.identity_data.custom_claims['address']).toBe(key.address)
  })

  test('a refusal, and a signature with another key, let nobody in', async () => {
    const key = solanaKey()
    const usual = willing(key)
    answer = (method, input) => (method === 'signMessage' ? refuses('User rejected the request.') : usual(method, input))
    await page.addInitScript(placeWallets, [{ name: 'Sun Wallet', icon, form: 'solana-sign-message' as const }])
    await page.goto('/sign-in')
    await press('Sun Wallet')
    await page.getByText('The wallet did not sign').waitFor()
    const other = solanaKey()
    answer = (method, input) => (method === 'signMessage' ? gives(other.sign(String(input))) : usual(method, input))
    await press('Sun Wallet')
    await page.getByText('The wallet’s signature was not accepted').waitFor()
    expect((await window.cookies()).filter(({ name }) => /auth-token(\.\d)?$/.test(name))).toEqual([])
  })
})

describe('a browser', () => {
  test('with one wallet for both chains offers each by its chain', async () => {
    answer = willing(solanaKey())
    await page.addInitScript(placeWallets, [{ name: 'Twofold', icon, form: 'ethereum' as const }, { name: 'Twofold', icon, form: 'solana-sign-in' as const }])
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Continue with Twofold (Ethereum)' }).waitFor()
    await press('Twofold (Solana)')
    await isIn()
  })

  test('without one is offered none; where wallets are the only way, it is told so', async () => {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: /local identity/ }).waitFor()
    expect(await page.getByRole('button', { name: /wallet/i }).count()).toBe(0)
    await page.evaluate(() => localStorage.clear())
    await page.route('**/auth/v1/settings', async (route) => {
      const own = (await (await route.fetch()).json()) as Record<string, unknown>
      await route.fulfill({ json: { ...own, passkeys_enabled: false, external: { email: false } } })
    })
    await page.reload()
    await page.getByText('This browser has no wallet').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('whose wallet is of a chain the project has switched off is told to choose another way', async () => {
    await page.route('**/auth/v1/token?grant_type=web3', (route) => route.fulfill({ status: 422, headers: { 'x-supabase-api-version': '2024-01-01' }, json: { code: 'web3_provider_disabled', message: 'Solana Web3 provider is disabled' } }))
    answer = willing(solanaKey())
    await page.addInitScript(placeWallets, [{ name: 'Sun Wallet', icon, form: 'solana-sign-in' as const }])
    await page.goto('/sign-in')
    await press('Sun Wallet')
    await page.getByText('Wallets are switched off here').waitFor()
    await page.getByText('Choose another way to sign in.').waitFor()
  })
})
