import { beforeAll, describe, expect, test } from 'vitest'
import { client, person } from './target.ts'

let ada: Awaited<ReturnType<typeof person>>
let bob: Awaited<ReturnType<typeof person>>
beforeAll(async () => {
  ;[ada, bob] = await Promise.all([person(), person()])
})

describe('views', () => {
  test('with the reader\'s rights show and change what the policies of their tables allow', async () => {
    const made = await ada.client.from('note_titles').insert({ title: 'By view' }).select('id, owner_id').single()
    expect(made.data).toMatchObject({ owner_id: ada.id })
    expect((await ada.client.from('note_titles').update({ title: 'Changed' }).eq('id', made.data?.id).select('title')).data).toEqual([{ title: 'Changed' }])
    expect((await bob.client.from('note_titles').select().eq('id', made.data?.id)).data).toEqual([])
    expect((await ada.client.from('note_titles').delete().eq('id', made.data?.id).select('id')).data).toHaveLength(1)
  })

  test('are embedded by the foreign keys of their tables', async () => {
    const { data: note } = await ada.client.from('notes').insert({ title: 'Seen through' }).select('id').single()
    await ada.client.from('comments').insert({ note_id: note?.id, body: 'through the view' })
    const { data } = await ada.client.from('note_titles').select('title, comments(body)').eq('id', note?.id).single()
    expect(data).toEqual({ title: 'Seen through', comments: [{ body: 'through the view' }] })
  })

  test('that gather rows cannot be written', async () => {
    const { status, error } = await ada.client.from('busy_moods').insert({ mood: 'busy', notes: 1 })
    expect(error?.code).toBe('55000')
    expect(status).toBeGreaterThanOrEqual(400)
  })
})

describe('functions', () => {
  test('that give rows are filtered, ordered and embedded like tables', async () => {
    await ada.client.from('notes').insert([{ title: 'b', mood: 'done' }, { title: 'a', mood: 'done' }])
    const { data } = await ada.client.rpc('notes_of', { wanted: 'done' }).in('title', ['a', 'b']).order('title').select('title, comments(body)')
    expect(data).toEqual([{ title: 'a', comments: [] }, { title: 'b', comments: [] }])
  })

  test.each([
    { name: 'a plain refusal', kind: 'plain', status: 400, error: { code: 'P0001', message: 'Not today', details: 'Closed', hint: 'Try tomorrow' } },
    { name: 'a status of its own', kind: 'status', status: 409, error: { code: 'PT409', message: 'Taken', details: 'By another', hint: 'Choose anew' } },
    { name: 'a whole answer of its own', kind: 'whole', status: 410, error: { code: 'SHOP1', message: 'Too late' } },
    { name: 'a missing right', kind: 'right', status: 403, error: { code: '42501', message: 'Not yours' } },
    { name: 'a fault of arithmetic', kind: 'zero', status: 400, error: { code: '22012' } },
  ])('say $name as they mean it', async ({ kind, status, error }) => {
    const answer = await ada.client.rpc('refuse', { kind })
    expect(answer.status).toBe(status)
    expect(answer.error).toMatchObject(error)
  })

  test('say a missing right to nobody in particular as a missing sign-in', async () => {
    expect((await client().rpc('refuse', { kind: 'right' })).status).toBe(401)
  })

  test('are found by the names of their arguments, and only by them', async () => {
    expect((await client().rpc('plus', { a: 2, b: 3 })).data).toBe(5)
    expect((await client().rpc('plus', { a: 2, b: 3 }, { get: true })).data).toBe(5)
    expect(await client().rpc('plus', { a: 2 })).toMatchObject({ status: 404, error: { code: 'PGRST202' } })
    expect(await client().rpc('plus', { a: 'two', b: 3 })).toMatchObject({ status: 400, error: { code: '22P02' } })
    expect((await ada.client.rpc('add_note', { title: 'By GET' }, { get: true })).error?.code).toBe('25006')
  })
})
