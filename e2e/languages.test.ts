import { beforeEach, describe, expect, test } from 'vitest'
import { people } from './people.ts'
import { openPage, page, phone, setStage } from './stage.ts'

setStage()
beforeEach(() => openPage(phone))

interface Language {
  code: string
  /** What the page declares to be in. */
  tag: string
  direction: 'ltr' | 'rtl'
  /** The words it shares with English. */
  alike: readonly string[]
}

const english: Language = { code: 'en', tag: 'en', direction: 'ltr', alike: [] }
const others: readonly Language[] = [
  { code: 'de', tag: 'de', direction: 'ltr', alike: ['Board', 'Details', 'Filter', 'Live', 'Name', 'Passkeys', 'Token'] },
  { code: 'fr', tag: 'fr', direction: 'ltr', alike: ['Actions', 'E-mail', 'Notifications', 'Options', 'Photo', 'Session', 'Tables'] },
  { code: 'es', tag: 'es', direction: 'ltr', alike: ['Inspector', 'Token'] },
  { code: 'pt', tag: 'pt-BR', direction: 'ltr', alike: ['E-mail', 'Token'] },
  { code: 'ja', tag: 'ja', direction: 'ltr', alike: [] },
  { code: 'zh', tag: 'zh-Hans', direction: 'ltr', alike: [] },
  { code: 'ar', tag: 'ar', direction: 'rtl', alike: [] },
]

/** What the project, its people and the product have named is the same in every language. */
const named = /^(Helpdesk|Portico|HHelpdesk.*|Jonas Lindqvist.*|JL.*|Articles|Members|Messages|Organizations|SLA targets|Ticket articles|Tickets|Ticket SLA|Close ticket|.*@.*)$/

const languageSelect = () => page.locator('select:has(option[value="ar"])').first()

const declared = ({ tag, direction }: Language) => page.locator(`html[lang="${tag}"][dir="${direction}"]`)

const choose = async (language: Language) => {
  await languageSelect().selectOption(language.code)
  await declared(language).waitFor()
}

/** What buttons, tabs and headings are called, to the eye and to a screen reader. */
const names = async (): Promise<string[]> => {
  const found = await page.evaluate(() => [...document.querySelectorAll('button, h1, h2, h3, [role=tab], nav a')].map((element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()))
  return found.filter((name) => /[a-z]{2}/i.test(name) && !named.test(name))
}

const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The places a person comes through, each with what is there once it is drawn. */
const places: readonly [path: string, drawn: string][] = [
  ['/data', 'main a[href="/data/public/tickets"]'],
  ['/data/public/tickets?search=Guatemala', 'main a[href^="/data/public/tickets/"]'],
  ['/files', 'main a[href^="/files/attachments"]'],
  ['/live', 'main button'],
  ['/functions', 'main a[href="/functions/office-hours"]'],
  ['/inspector', 'main h2'],
  ['/account/security', 'main form, main h2'],
]

/** Goes the whole way, and gives what was read at each place. */
async function walk(language: Language): Promise<Map<string, string[]>> {
  const read = new Map<string, string[]>()
  const look = async (place: string) => {
    read.set(place, await names())
    expect([place, await overflow()]).toEqual([place, 0])
  }
  await page.goto('/sign-in')
  await choose(language)
  await look('/sign-in')
  await page.locator('input[name=email]').fill(people.agent.email)
  await page.keyboard.press('Enter')
  await page.locator('input[name=password]').fill(people.agent.password)
  await look('the password')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  for (const [path, drawn] of places) {
    await page.goto(path)
    await page.locator(drawn).first().waitFor()
    await declared(language).waitFor()
    await look(path)
  }
  await page.goto('/account')
  await languageSelect().waitFor()
  await look('/account')
  return read
}

describe('in every language', () => {
  let measure: Map<string, string[]>

  test('English is the measure: the way leads through every place', async () => {
    measure = await walk(english)
    expect([...measure.values()].every((said) => said.length > 0)).toBe(true)
  })

  test.each(others)('$code: one signs in, sees a table and the account, and nothing is left in English or too wide', async (language) => {
    const read = await walk(language)
    const left = [...read].flatMap(([place, said]) => said.filter((name) => measure.get(place)?.includes(name) && !language.alike.includes(name)).map((name) => `${place}: ${name}`))
    expect(left).toEqual([])
    // To another language and back, without a reload, and kept for the next visit.
    await choose(english)
    await choose(language)
    await page.reload()
    await declared(language).waitFor()
    await languageSelect().waitFor()
  })
})
