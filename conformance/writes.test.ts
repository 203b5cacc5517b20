import { beforeAll, describe, expect, test } from 'vitest'
import { person, target } from './target.ts'

let ada: Awaited<ReturnType<typeof person>>
let token = ''
beforeAll(async () => {
  ada = await person()
  token = (await ada.client.auth.getSession()).data.session?.access_token ?? ''
})

const send = (path: string, method: string, { body, ...headers }: { body?: unknown; prefer?: string; accept?: string; 'content-type'?: string } = {}) =>
  fetch(`${target().API_URL}/rest/v1${path}`, {
    method,
    headers: { apikey: target().PUBLISHABLE_KEY, authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
const newName = (stem: string) => `${stem}-${process.pid}-${Date.now()}`

describe('writes without a filter', () => {
  test('are refused, and nothing is changed', async () => {
    const { data } = await ada.client.from('notes').insert({ title: 'Stays' }).select('id').single()
    for (const [method, word] of [['PATCH', 'UPDATE'], ['DELETE', 'DELETE']] as const) {
      const answer = await send('/notes', method, { body: { title: 'Gone' } })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ code: '21000', message: `${word} requires a WHERE clause` })
    }
    expect((await ada.client.from('notes').select('title').eq('id', data?.id).single()).data).toEqual({ title: 'Stays' })
  })
})

describe('Prefer', () => {
  test('says how much comes back: nothing, an address, or the rows', async () => {
    const minimal = await send('/tags', 'POST', { body: { name: newName('minimal') }, prefer: 'return=minimal' })
    expect([minimal.status, await minimal.text(), minimal.headers.get('preference-applied')]).toEqual([201, '', 'return=minimal'])
    const name = newName('headers')
    const headers = await send('/tags', 'POST', { body: { name }, prefer: 'return=headers-only' })
    expect([headers.status, headers.headers.get('location')]).toEqual([201, `/tags?name=eq.${name}`])
    const rows = await send('/tags?select=colour', 'POST', { body: { name: newName('rows') }, prefer: 'return=representation, count=exact' })
    expect([await rows.json(), rows.headers.get('content-range')]).toEqual([[{ colour: 'grey' }], '*/1'])
  })

  test('merges or leaves what is there already', async () => {
    const name = newName('merge')
    await send('/tags', 'POST', { body: { name, colour: 'red', uses: 1 } })
    const twice = await send('/tags', 'POST', { body: { name } })
    expect([twice.status, (await twice.json()) as object]).toEqual([409, expect.objectContaining({ code: '23505' })])
    const merged = await send('/tags', 'POST', { body: [{ name, colour: 'blue' }], prefer: 'resolution=merge-duplicates, return=representation' })
    expect([merged.status, await merged.json()]).toEqual([200, [{ name, colour: 'blue', uses: 1 }]])
    const left = await send('/tags', 'POST', { body: [{ name, colour: 'green' }], prefer: 'resolution=ignore-duplicates, return=representation' })
    expect([left.status, await left.json()]).toEqual([201, []])
  })

  test('fills what a row leaves out with its default when asked to', async () => {
    const names = [newName('a'), newName('b')]
    const body = [{ name: names[0], uses: 5 }, { name: names[1] }]
    const refused = await send('/tags?columns=name,uses', 'POST', { body })
    expect([refused.status, (await refused.json()) as object]).toEqual([400, expect.objectContaining({ code: '23502' })])
    const filled = await send('/tags?columns=name,uses', 'POST', { body, prefer: 'missing=default, return=representation' })
    expect(((await filled.json()) as { uses: number }[]).map(({ uses }) => uses)).toEqual([5, 0])
  })

  test('bounds how many rows a write may touch, and undoes one that touches more', async () => {
    const stem = newName('many')
    await send('/tags', 'POST', { body: ['1', '2', '3'].map((end) => ({ name: `${stem}-${end}` })) })
    const bounded = await send(`/tags?name=like.${stem}*`, 'DELETE', { prefer: 'handling=strict, max-affected=2' })
    expect([bounded.status, (await bounded.json()) as object]).toEqual([400, expect.objectContaining({ code: 'PGRST124' })])
    const counted = await send(`/tags?name=like.${stem}*&select=name`, 'GET', { prefer: 'count=exact' })
    expect(counted.headers.get('content-range')).toBe('0-2/3')
  })

  test('that is not known is refused when strictness is asked for, and passed over else', async () => {
    expect((await send('/tags?limit=1', 'GET', { prefer: 'colour=blue' })).status).toBe(200)
    const strict = await send('/tags?limit=1', 'GET', { prefer: 'handling=strict, colour=blue' })
    expect([strict.status, (await strict.json()) as object]).toEqual([400, expect.objectContaining({ code: 'PGRST122' })])
  })
})

describe('CSV', () => {
  test('goes in and comes out', async () => {
    const stem = newName('csv')
    const written = await send('/tags', 'POST', { body: `name,colour,uses\n${stem}-1,"red, light",1\n${stem}-2,blue,2\n`, 'content-type': 'text/csv' })
    expect(written.status).toBe(201)
    const read = await send(`/tags?name=like.${stem}*&order=name`, 'GET', { accept: 'text/csv' })
    expect(read.headers.get('content-type')).toContain('text/csv')
    expect(await read.text()).toBe(`name,colour,uses\n${stem}-1,"red, light",1\n${stem}-2,blue,2`)
  })

  test('with rows of different length is refused', async () => {
    const answer = await send('/tags', 'POST', { body: 'name,colour\nonly-one\n', 'content-type': 'text/csv' })
    expect([answer.status, (await answer.json()) as object]).toEqual([400, expect.objectContaining({ code: 'PGRST102' })])
  })
})
