import { describe, expect, it } from 'vitest'
import { openTestApi } from './testing.ts'
import { anon, api, database, json, setTestPeople } from './test-people.ts'

setTestPeople()

describe('writing', () => {
  it('inserts one and many, with defaults for what is missing', async () => {
    const client = api.as(anon)
    const one = await client.from('people').insert({ id: 10, name: 'Eve' }).select('id,tags').single()
    expect(one.data).toEqual({ id: 10, tags: [] })
    const many = await client.from('people').insert([{ id: 11, name: 'Fay' }, { id: 12, name: 'Gus', tags: ['x'] }], { defaultToNull: false }).select('id,tags')
    expect(many.data).toEqual([{ id: 11, tags: [] }, { id: 12, tags: ['x'] }])
    await client.from('people').delete().gte('id', 10)
  })

  it('takes CSV and forms, and tells where a row was put', async () => {
    const csv = await api.send('/skills', {
      method: 'POST', body: 'id,title\n20,"a, b"\n21,NULL', headers: { 'content-type': 'text/csv', prefer: 'return=representation' },
      context: { caller: { role: 'authenticated', claims: {} } },
    })
    expect([csv.status, (await csv.json()).code]).toEqual([400, '23502'])
    const form = await api.send('/teams', {
      method: 'POST', body: 'id=20&name=A+b', headers: { 'content-type': 'application/x-www-form-urlencoded', prefer: 'return=headers-only' },
    })
    expect([form.status, form.headers.get('location'), form.headers.get('content-type')]).toEqual([201, '/teams?id=eq.20', null])
    await api.as(anon).from('teams').delete().eq('id', 20)
  })

  it('merges and ignores duplicates, by primary key or another', async () => {
    const client = api.as({ role: 'authenticated' })
    const merged = await client.from('teams').upsert({ id: 1, name: 'Crimson' }).select()
    expect([merged.status, merged.data]).toEqual([200, [{ id: 1, name: 'Crimson' }]])
    const ignored = await client.from('teams').upsert({ id: 1, name: 'Pink' }, { ignoreDuplicates: true }).select()
    expect(ignored.data).toEqual([])
    const byTitle = await client.from('skills').upsert({ id: 1, title: 'sql' }, { onConflict: 'title' }).select()
    expect(byTitle.data).toEqual([{ id: 1, title: 'sql' }])
    await client.from('teams').update({ name: 'Red' }).eq('id', 1)
  })

  it('puts one row by its key, and refuses a body for another', async () => {
    const put = await api.send('/teams?id=eq.30', { ...json({ id: 30, name: 'New' }), method: 'PUT' })
    expect(put.status).toBe(204)
    const wrong = await api.send('/teams?id=eq.30', { ...json({ id: 31, name: 'New' }), method: 'PUT' })
    expect([wrong.status, (await wrong.json()).code]).toEqual([400, 'PGRST115'])
    await api.as(anon).from('teams').delete().eq('id', 30)
  })

  it('updates and deletes only what the filters name', async () => {
    const client = api.as(anon)
    const updated = await client.from('people').update({ name: 'Rob' }, { count: 'exact' }).eq('id', 2).select('name')
    expect([updated.data, updated.count]).toEqual([[{ name: 'Rob' }], 1])
    await client.from('people').update({ name: 'Bob' }).eq('id', 2)
    const none = await client.from('people').delete().eq('id', 999).select()
    expect(none.data).toEqual([])
  })

  it('refuses to change or remove all rows for want of a filter, unless it is told to', async () => {
    for (const [method, word] of [['PATCH', 'UPDATE'], ['DELETE', 'DELETE']] as const) {
      const refused = await api.send('/people?select=id,teams(id)&teams.id=eq.1', { ...json({ name: 'X' }), method })
      expect([refused.status, await refused.json()]).toEqual([400, { code: '21000', message: `${word} requires a WHERE clause`, details: null, hint: null }])
    }
    expect((await api.send('/people', { ...json({}), method: 'PATCH' })).status).toBe(204)
    const open = await openTestApi(database, { requiresFilter: false, transactionEnd: 'rollback' })
    expect((await open.send('/people', { ...json({ name: 'X' }), method: 'PATCH' })).status).toBe(204)
    expect((await api.as(anon).from('people').select('name').in('id', [1, 2]).order('id')).data).toEqual([{ name: 'Ada' }, { name: 'Bob' }])
  })

  it('undoes a write whose result is not what was asked for', async () => {
    const client = api.as(anon)
    const two = await client.from('people').update({ name: 'X' }).in('id', [1, 2]).select().single()
    expect([two.status, two.error?.code]).toEqual([406, 'PGRST116'])
    const many = await api.send('/people?id=in.(1,2)', { ...json({ name: 'X' }, { prefer: 'handling=strict, max-affected=1' }), method: 'PATCH' })
    expect((await many.json()).code).toBe('PGRST124')
    expect((await client.from('people').select('name').in('id', [1, 2]).order('id')).data).toEqual([{ name: 'Ada' }, { name: 'Bob' }])
  })

  it('names the constraint a write breaks', async () => {
    const duplicate = await api.as(anon).from('teams').insert({ id: 1, name: 'Again' })
    expect([duplicate.status, duplicate.error]).toMatchObject([409, { code: '23505', details: 'Key (id)=(1) already exists.', hint: null }])
    const unknown = await api.as(anon).from('teams').insert({ id: 40, colour: 'red' })
    expect(unknown.error).toMatchObject({ code: 'PGRST204', message: "Could not find the 'colour' column of 'teams' in the schema cache" })
  })

  it('refuses a row its policies forbid', async () => {
    const { status, error } = await api.as({ role: 'authenticated', sub: '00000000-0000-0000-0000-000000000001' })
      .from('notes').insert({ id: 9, owner: '00000000-0000-0000-0000-000000000002', body: 'forged' })
    expect([status, error?.code]).toEqual([403, '42501'])
  })
})

describe('calling functions', () => {
  it('passes arguments by body and by query, defaults left out', async () => {
    const client = api.as(anon)
    expect((await client.rpc('add', { a: 2 })).data).toBe(3)
    expect((await client.rpc('add', { a: 2, b: 5 }, { get: true })).data).toBe(7)
    expect((await client.rpc('people_of', { team: 'Red' }).select('name').order('name', { ascending: false })).data).toEqual([{ name: 'Bob' }, { name: 'Ada' }])
    expect((await client.rpc('people_of', { team: 'Blue' }).select('name,teams(name)').single()).data).toEqual({ name: 'Cyd', teams: { name: 'Blue' } })
  })

  it('runs a function called by GET read-only', async () => {
    const response = await api.send('/rpc/rename?person=1&new_name=Zoe')
    expect([response.status, (await response.json()).code]).toEqual([405, '25006'])
    const posted = await api.send('/rpc/rename', json({ person: 1, new_name: 'Ada' }))
    expect([posted.status, await posted.text()]).toEqual([204, ''])
  })

  it('runs as the caller, with their claims', async () => {
    const { data } = await api.as({ role: 'authenticated', sub: 'u-1' }).rpc('whoami')
    expect(data).toEqual({ role: 'authenticated', sub: 'u-1' })
  })

  it('lets SQL choose status, headers and the whole reply', async () => {
    const refused = await api.send('/rpc/refuse', json({}))
    expect([refused.status, await refused.json()]).toMatchObject([402, { code: 'PT402', message: 'Payment required', hint: 'Pay' }])
    const reply = await api.send('/rpc/whole_reply', json({}))
    expect([reply.status, reply.headers.get('x-pot'), (await reply.json()).code]).toEqual([418, 'short', 'tea'])
    const given = await api.send('/rpc/with_headers', json({}))
    expect([given.status, given.headers.get('x-one'), given.headers.getSetCookie()]).toEqual([202, '1', ['a=1', 'b=2']])
  })

  it('suggests the function that was meant', async () => {
    const { error, status } = await api.as(anon).rpc('ad', { a: 1 })
    expect([status, error?.code]).toEqual([404, 'PGRST202'])
    const wrong = await api.as(anon).rpc('add', { x: 1 })
    expect(wrong.error).toMatchObject({ code: 'PGRST202', message: 'Could not find the function public.add(x) in the schema cache' })
  })
})
