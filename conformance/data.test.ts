import { beforeAll, describe, expect, test } from 'vitest'
import { adminClient, client, person } from './target.ts'

let ada: Awaited<ReturnType<typeof person>>
let bob: Awaited<ReturnType<typeof person>>
beforeAll(async () => {
  ;[ada, bob] = await Promise.all([person(), person()])
})

describe('rows and policies', () => {
  test('a person writes and reads their own rows, in the shapes the hosted backend gives', async () => {
    const written = await ada.client.from('notes').insert({ title: 'First', stars: 3, extra: { a: [1] }, labels: ['x', 'y'] }).select().single()
    expect(written.error).toBeNull()
    expect(written.status).toBe(201)
    expect(written.data).toMatchObject({ owner_id: ada.id, title: 'First', mood: 'calm', stars: 3, extra: { a: [1] }, labels: ['x', 'y'], written_at: '2026-01-02T03:04:05.678+00:00' })
  })

  test('nobody sees, changes or deletes the rows of another', async () => {
    const { data } = await ada.client.from('notes').insert({ title: 'Private' }).select('id').single()
    expect((await bob.client.from('notes').select('id').eq('id', data?.id)).data).toEqual([])
    expect((await bob.client.from('notes').update({ title: 'Mine now' }).eq('id', data?.id).select()).data).toEqual([])
    expect((await bob.client.from('notes').delete().eq('id', data?.id).select()).data).toEqual([])
    expect((await ada.client.from('notes').select('title').eq('id', data?.id).single()).data).toEqual({ title: 'Private' })
  })

  test('a row in the name of another is refused by the policy', async () => {
    const answer = await bob.client.from('notes').insert({ title: 'Forged', owner_id: ada.id })
    expect(answer.status).toBe(403)
    expect(answer.error).toMatchObject({ code: '42501', message: 'new row violates row-level security policy for table "notes"' })
  })

  test('without a sign-in a table without a grant is refused, one with a policy for all is read', async () => {
    const refused = await client().from('notes').select()
    expect(refused.status).toBe(401)
    expect(refused.error).toMatchObject({ code: '42501', message: 'permission denied for table notes' })
    expect((await client().from('announcements').select('text').order('id')).data).toEqual([{ text: 'Open as usual' }, { text: 'Closed on Sunday' }])
  })

  test('the secret key passes the policies', async () => {
    const answer = await adminClient().from('announcements').select('id', { count: 'exact', head: true })
    expect(answer.count).toBe(2)
  })
})

describe('queries', () => {
  test('filters, order, range and count answer as PostgREST does', async () => {
    const own = (await person()).client
    await own.from('notes').insert(Array.from({ length: 12 }, (_, n) => ({ title: `Note ${String(n).padStart(2, '0')}`, stars: n % 6, mood: n % 2 ? 'busy' : 'calm' })))
    const page = await own.from('notes').select('title, stars', { count: 'exact' }).eq('mood', 'busy').gte('stars', 1).order('stars', { ascending: false }).order('title').range(1, 2)
    expect(page.status).toBe(206)
    expect(page.count).toBe(6)
    expect(page.data).toEqual([{ title: 'Note 11', stars: 5 }, { title: 'Note 03', stars: 3 }])
    const either = await own.from('notes').select('title').or('stars.eq.0,and(stars.eq.5,mood.eq.busy)').ilike('title', '%note 0%').order('title')
    expect(either.data).toEqual([{ title: 'Note 00' }, { title: 'Note 05' }, { title: 'Note 06' }])
  })

  test('foreign keys embed both ways, with the policies of the other table', async () => {
    const { data: note } = await ada.client.from('notes').insert({ title: 'With comments' }).select('id').single()
    await ada.client.from('comments').insert([{ note_id: note?.id, body: 'one' }, { note_id: note?.id, body: 'two' }])
    const down = await ada.client.from('notes').select('title, comments(body)').eq('id', note?.id).order('body', { referencedTable: 'comments', ascending: false }).single()
    expect(down.data).toEqual({ title: 'With comments', comments: [{ body: 'two' }, { body: 'one' }] })
    const up = await ada.client.from('comments').select('body, notes!inner(title)').eq('notes.title', 'With comments').order('body')
    expect(up.data).toEqual([{ body: 'one', notes: { title: 'With comments' } }, { body: 'two', notes: { title: 'With comments' } }])
    expect((await bob.client.from('comments').select('*, notes(*)')).data).toEqual([])
  })

  test('functions are called by name, with defaults, under the caller', async () => {
    const made = await ada.client.rpc('add_note', { title: 'By function' })
    expect(made.data).toMatchObject({ title: 'By function', stars: 0, owner_id: ada.id })
    expect((await ada.client.rpc('whoami', {}, { get: true })).data).toEqual({ uid: ada.id, role: 'authenticated', aal: 'aal1', current_user: 'authenticated' })
    expect((await client().rpc('whoami')).data).toMatchObject({ uid: null, role: 'anon', current_user: 'anon' })
  })

  test('another exposed schema is reached by its profile, one that is not exposed is refused', async () => {
    expect((await client().schema('shop').from('offers').select().order('sku')).data).toEqual([{ sku: 'cup', price: 4.5 }, { sku: 'pot', price: 19.9 }])
    expect((await client().schema('auth').from('users').select()).error).toMatchObject({ code: 'PGRST106' })
  })

  test('upsert, bulk update and delete say what they did', async () => {
    const own = (await person()).client
    const { data } = await own.from('notes').insert([{ title: 'a' }, { title: 'b' }]).select('id, title').order('id')
    const updated = await own.from('notes').update({ mood: 'done' }, { count: 'exact' }).in('id', (data ?? []).map((row) => row.id))
    expect([updated.status, updated.count]).toEqual([204, 2])
    const removed = await own.from('notes').delete().eq('title', 'a').select('title')
    expect(removed.data).toEqual([{ title: 'a' }])
  })
})

describe('errors', () => {
  test.each([
    { name: 'a missing column', ask: () => ada.client.from('notes').select('nothing'), status: 400, code: '42703' },
    { name: 'a missing table', ask: () => ada.client.from('nothings').select(), status: 404, code: 'PGRST205' },
    { name: 'a missing function', ask: () => ada.client.rpc('nothing_here'), status: 404, code: 'PGRST202' },
    { name: 'a broken check', ask: () => ada.client.from('notes').insert({ title: 'x', stars: 9 }), status: 400, code: '23514' },
    { name: 'a null where none may be', ask: () => ada.client.from('notes').insert({ title: null }), status: 400, code: '23502' },
    { name: 'a value of another type', ask: () => ada.client.from('notes').insert({ title: 'x', stars: 'many' }), status: 400, code: '22P02' },
    { name: 'an unknown enum value', ask: () => ada.client.from('notes').insert({ title: 'x', mood: 'angry' }), status: 400, code: '22P02' },
    { name: 'a row that is not there', ask: () => ada.client.from('notes').select().eq('id', -1).single(), status: 406, code: 'PGRST116' },
    { name: 'a foreign key to nothing', ask: () => adminClient().from('comments').insert({ note_id: -1, body: 'x' }), status: 409, code: '23503' },
  ] as const)('$name', async ({ ask, status, code }) => {
    const answer = await ask()
    expect([answer.status, answer.error?.code]).toEqual([status, code])
  })
})
