import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { axeViolations } from './axe.ts'
import { people, pressInTurn, signIn } from './people.ts'
import { desktop, newPage, page, phone, setStage } from './stage.ts'
import { newTicket } from './tickets.ts'

setStage()

let count = 0
/** A name no other channel or ticket has. */
const subject = (word: string) => `${word} ${(count += 1)} of ${process.pid}`

describe('the channel screen', () => {
  const join = async (tab: Page, name: string) => {
    await tab.getByRole('button', { name: 'Join a channel' }).click()
    await tab.getByRole('textbox', { name: 'Channel', exact: true }).fill(name)
    await tab.getByRole('button', { name: 'Join channel' }).click()
    await tab.getByRole('status').filter({ hasText: 'Joined' }).first().waitFor()
  }
  const log = (tab: Page = page) => tab.getByRole('log')

  test('messages go from one person to the other, and the channel survives a reload', async () => {
    const name = subject('room')
    const other = await newPage()
    await signIn(page, people.owner, '/live')
    await join(page, name)
    await signIn(other, people.agent, new URL(page.url()).pathname + new URL(page.url()).search)
    await other.getByRole('status').filter({ hasText: 'Joined' }).first().waitFor()
    await other.getByRole('textbox', { name: 'Event' }).fill('greeting')
    await other.getByRole('textbox', { name: 'Content (JSON)' }).fill('{ "text": "Good morning" }')
    await other.getByRole('button', { name: 'Send', exact: true }).click()
    await log().getByText('greeting').waitFor()
    await log().getByRole('button', { name: /greeting/ }).click()
    await log().getByText('"text": "Good morning"').waitFor()
    await log(other).getByText('Sent', { exact: true }).waitFor()

    await page.reload()
    await page.getByRole('heading', { name }).waitFor()
    await page.getByRole('status').filter({ hasText: 'Joined' }).first().waitFor()
    await other.getByRole('button', { name: 'Send', exact: true }).click()
    await log().getByText('greeting').waitFor()
  })

  test('faults in what is typed are placed, and a message is sent by keyboard', async () => {
    await signIn(page, people.owner, `/live?channel=${encodeURIComponent(subject('keys'))}`)
    await page.getByRole('status').filter({ hasText: 'Joined' }).first().waitFor()
    const content = page.getByRole('textbox', { name: 'Content (JSON)' })
    await content.fill('{ "text": }')
    await page.keyboard.press('Control+Enter')
    await page.getByText('This is not JSON: 1:11').waitFor()
    await content.fill('[1, 2]')
    await page.keyboard.press('Control+Enter')
    await log().getByText('[1,2]').waitFor()
    await page.getByRole('button', { name: 'System', exact: true }).click()
    await page.getByText('1 of 2').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await content.focus()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Paused, 1 more since').waitFor()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('2 of 3').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('Nothing has happened on this channel yet').waitFor()
  })

  test('row changes of a table are watched', async () => {
    await signIn(page, people.owner, '/live')
    await page.getByRole('button', { name: 'Join a channel' }).click()
    await page.getByRole('textbox', { name: 'Channel', exact: true }).fill(subject('rows'))
    await page.getByRole('switch', { name: 'Row changes' }).click()
    await page.getByRole('combobox', { name: 'Table' }).selectOption({ label: 'Tickets' })
    await page.getByRole('combobox', { name: 'Which changes' }).selectOption({ label: 'New rows' })
    await page.getByRole('textbox', { name: /^Only rows where/ }).fill('priority')
    await page.getByRole('button', { name: 'Join channel' }).click()
    await page.getByText('Write column=operator.value').waitFor()
    await page.getByRole('textbox', { name: /^Only rows where/ }).fill('priority=eq.urgent')
    await page.getByRole('button', { name: 'Join channel' }).click()
    await log().getByText('Subscribed to PostgreSQL').waitFor()
    const urgent = subject('Urgent')
    await newTicket({ subject: subject('Low'), priority: 'low' })
    await newTicket({ subject: urgent, priority: 'urgent' })
    await log().getByText(urgent).waitFor()
    expect(await log().getByText('New row in public.tickets').count()).toBe(1)
  })

  test('presence is shown and taken back', async () => {
    const name = subject('present')
    const other = await newPage()
    await signIn(page, people.owner, `/live?channel=${encodeURIComponent(name)}`)
    await signIn(other, people.agent, `/live?channel=${encodeURIComponent(name)}`)
    await other.getByRole('tab', { name: /^Presence/ }).click()
    await other.getByRole('textbox', { name: /^What others see/ }).fill('{ "status": "away" }')
    await other.getByRole('button', { name: 'Show me' }).click()
    await page.getByRole('tab', { name: /^Presence/ }).click()
    await page.getByText('{"status":"away"}').waitFor()
    await other.getByRole('button', { name: 'Hide me' }).click()
    await page.getByRole('status').filter({ hasText: 'Nobody is present' }).waitFor()
  })

  test('a private channel without a policy says why not, and what to do', async () => {
    await signIn(page, people.owner, `/live?channel=secret${process.pid}~private`)
    await page.getByText('The policies do not let you read this channel').first().waitFor({ timeout: 40_000 })
    await page.getByText('Unauthorized').first().waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No channel yet').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('is reached, joined and left by keyboard alone', async () => {
    const name = subject('by keyboard')
    await signIn(page, people.owner, '/data')
    await page.getByRole('heading', { name: 'Tables', level: 1 }).waitFor()
    await pressInTurn(page, 'gl')
    await page.waitForURL('**/live')
    const tabTo = async (role: 'button' | 'textbox' | 'tab', label: string | RegExp) => {
      const wanted = page.getByRole(role, { name: label, exact: true })
      for (let step = 0; step < 40; step += 1) {
        if ((await wanted.count()) > 0 && (await wanted.first().evaluate((element) => element === document.activeElement))) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab never reached ${label.toString()}`)
    }
    await page.getByText('No channel yet').waitFor()
    await tabTo('button', 'Join a channel')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Joined' }).first().waitFor()
    await tabTo('textbox', 'Content (JSON)')
    await page.keyboard.press('Control+Enter')
    await log().getByText('Sent', { exact: true }).waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await tabTo('button', /Sent/)
    await page.keyboard.press('Enter')
    await log().getByText('"text": "Hello"').waitFor()
    for (let step = 0; step < 40 && !(await page.getByRole('button', { name: 'Leave', exact: true }).evaluate((element) => element === document.activeElement)); step += 1) await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Closed' }).first().waitFor()
  })

  test('a channel is left and joined again, and several stand side by side', async () => {
    const [one, two] = [subject('one'), subject('two')]
    await signIn(page, people.owner, '/live')
    await join(page, one)
    await join(page, two)
    await page.getByRole('navigation', { name: 'Joined channels' }).getByRole('button').first().click()
    await page.getByRole('heading', { name: one }).waitFor()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('status').filter({ hasText: 'Closed' }).first().waitFor()
    await page.getByRole('button', { name: 'Join again' }).click()
    await page.getByRole('status').filter({ hasText: 'Joined' }).first().waitFor()
  })

  test.each([['light', desktop], ['dark', desktop], ['light', phone], ['dark', phone]] as const)('axe finds nothing, %s, at %o', async (colorScheme, viewport) => {
    const tab = await newPage(viewport)
    await tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await signIn(tab, people.owner, '/live')
    await tab.getByText('No channel yet').waitFor()
    expect(await axeViolations(tab)).toEqual([])
    await tab.getByRole('button', { name: 'Join a channel' }).click()
    await tab.getByRole('switch', { name: 'Row changes' }).click()
    expect(await axeViolations(tab)).toEqual([])
    await tab.getByRole('textbox', { name: 'Channel', exact: true }).fill(`${'a-very-long-name-'.repeat(5)}${process.pid}`)
    await tab.getByRole('button', { name: 'Join channel' }).click()
    await tab.getByRole('button', { name: 'Send', exact: true }).click()
    await log(tab).getByText('Sent', { exact: true }).waitFor()
    await log(tab).getByRole('button').first().click()
    expect(await axeViolations(tab)).toEqual([])
    await tab.getByRole('tab', { name: /^Presence/ }).click()
    await tab.getByRole('button', { name: 'Show me' }).click()
    await tab.getByText('(you)').waitFor()
    expect(await axeViolations(tab)).toEqual([])
    expect(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })
})
