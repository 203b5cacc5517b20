import { describe, expect, it } from 'vitest'
import { openTestApi } from './testing.ts'
import { anon, api, database, setTestPeople } from './test-people.ts'

setTestPeople()

describe('reading', () => {
  it('selects, renames, casts and reaches into JSON', async () => {
    const { data } = await api.as(anon).from('people').select('who:name,id::text,details->level->>n').order('id').limit(1)
    expect(data).toEqual([{ who: 'Ada', id: '1', n: '3' }])
  })

  it('gives timestamps as ISO text', async () => {
    const { data } = await api.as(anon).from('people').select('joined_at').eq('id', 1).single()
    expect(data).toEqual({ joined_at: '2026-01-01T12:00:00+00:00' })
  })

  it.each([
    ['eq', '1', [1]], ['neq', '1', [2, 3, 4]], ['gt', '2', [3, 4]], ['gte', '3', [3, 4]], ['lt', '2', [1]], ['lte', '2', [1, 2]],
    ['in', '(1,3)', [1, 3]], ['not.in', '(1,3)', [2, 4]],
  ])('filters by %s', async (operator, value, ids) => {
    const response = await api.send(`/people?select=id&order=id&id=${operator}.${value}`)
    expect(await response.json()).toEqual(ids.map((id) => ({ id })))
  })

  it.each([
    ['name=like.A*', [1]], ['name=ilike.a*', [1]], ['name=like(any).{A*,B*}', [1, 2]], ['name=match.^[AB]', [1, 2]], ['tags=cs.{b}', [1, 2]],
    ['tags=ov.{a,z}', [1]], ['team_id=is.null', [4]], ['team_id=is.not_null', [1, 2, 3]], ['team_id=isdistinct.1', [3, 4]], ['name=fts.ada', [1]],
    ['name=wfts(simple).ada or bob', [1, 2]], ['or=(id.eq.1,and(id.gt.2,id.lt.4))', [1, 3]], ['not.or=(id.eq.1,id.eq.2)', [3, 4]],
    ['name=in.("D, \\"E\\"",Ada)', [1, 4]], ['id=in.()', []], ['details->level->>n=eq.3', [1]],
  ])('filters by %s', async (filter, ids) => {
    const [key, ...value] = filter.split('=')
    const response = await api.send(`/people?select=id&order=id&${key}=${encodeURIComponent(value.join('='))}`)
    expect(await response.json()).toEqual(ids.map((id) => ({ id })))
  })

  it('treats a value as a value, whatever it holds', async () => {
    for (const value of ["'; drop table people; --", '$1', "\\' or 1=1", '"', '{}', '%00']) {
      const response = await api.send(`/people?select=id&name=eq.${value === '%00' ? value : encodeURIComponent(value)}`)
      expect([200, 400]).toContain(response.status)
    }
    expect(await (await api.send('/people?select=id')).json()).toHaveLength(4)
  })

  it.each(['id::text; select 1', "id::int'; select 1", 'id::"int"', 'name::text[]', 'id::$1'])('lets no SQL through a cast: %s', async (select) => {
    const response = await api.send(`/people?select=${encodeURIComponent(select)}`)
    expect(response.status).toBe(400)
  })

  it('counts and pages', async () => {
    const { data, count } = await api.as(anon).from('people').select('id', { count: 'exact' }).order('id').range(1, 2)
    expect([data, count]).toEqual([[{ id: 2 }, { id: 3 }], 4])
    const response = await api.send('/people?select=id&limit=1', { headers: { prefer: 'count=exact' } })
    expect([response.status, response.headers.get('content-range'), response.headers.get('preference-applied')]).toEqual([206, '0-0/4', 'count=exact'])
  })

  it('answers 416 for an offset past the end when rows are counted', async () => {
    const response = await api.send('/people?offset=9', { headers: { prefer: 'count=exact' } })
    expect([response.status, (await response.json()).code]).toEqual([416, 'PGRST103'])
  })

  it('embeds to-one, to-many and many-to-many resources, to any depth', async () => {
    const { data } = await api.as({ role: 'authenticated' }).from('teams').select('name,people(name,skills(title))').eq('id', 1)
      .order('id', { referencedTable: 'people' }).order('id', { referencedTable: 'people.skills' })
    expect(data).toEqual([
      { name: 'Red', people: [{ name: 'Ada', skills: [{ title: 'sql' }, { title: 'css' }] }, { name: 'Bob', skills: [{ title: 'css' }] }] },
    ])
    const { data: up } = await api.as(anon).from('people').select('name,teams(name)').eq('id', 3).single()
    expect(up).toEqual({ name: 'Cyd', teams: { name: 'Blue' } })
  })

  it('filters parents by inner embeds and by whether an embed has rows', async () => {
    const inner = await api.as(anon).from('teams').select('name,people!inner(id)').eq('people.name', 'Cyd')
    expect(inner.data).toEqual([{ name: 'Blue', people: [{ id: 3 }] }])
    const without = await api.as(anon).from('teams').select('name,people()').is('people', null)
    expect(without.data).toEqual([{ name: 'Empty' }])
  })

  it('spreads embedded fields into the parent and orders by a related field', async () => {
    const { data } = await api.as(anon).from('people').select('id,...teams(team:name)').order('teams(team)', { ascending: true, nullsFirst: true }).order('id')
    expect(data).toEqual([{ id: 4, team: null }, { id: 3, team: 'Blue' }, { id: 1, team: 'Red' }, { id: 2, team: 'Red' }])
  })

  it('finds relationships of views through their tables, and computed columns', async () => {
    const view = await api.as(anon).from('people_view').select('person,teams(name)').eq('person', 1).single()
    expect(view.data).toEqual({ person: 1, teams: { name: 'Red' } })
    const computed = await api.as(anon).from('people').select('initials').eq('initials', 'B')
    expect(computed.data).toEqual([{ initials: 'B' }])
  })

  it('answers CSV, one object, and stripped nulls', async () => {
    const csv = await api.as(anon).from('people').select('id,name').eq('id', 4).csv()
    expect(csv.data).toBe('id,name\n4,"D, ""E"""')
    const stripped = await api.send('/people?select=id,team_id&id=eq.4', { headers: { accept: 'application/vnd.pgrst.array+json;nulls=stripped' } })
    expect(await stripped.json()).toEqual([{ id: 4 }])
    const { error, status } = await api.as(anon).from('people').select().single()
    expect([status, error?.code, error?.details]).toEqual([406, 'PGRST116', 'The result contains 4 rows'])
  })

  it('shows rows as their policies allow, and none of another', async () => {
    const sub = '00000000-0000-0000-0000-000000000001'
    const own = await api.as({ role: 'authenticated', sub }).from('notes').select('body')
    expect(own.data).toEqual([{ body: 'mine' }])
    const denied = await api.as(anon).from('skills').select()
    expect([denied.status, denied.error?.code]).toEqual([401, '42501'])
  })

  it('refuses aggregates and plans unless they are allowed', async () => {
    expect((await (await api.send('/people?select=id.sum()')).json()).code).toBe('PGRST123')
    expect((await api.send('/people', { headers: { accept: 'application/vnd.pgrst.plan+json' } })).status).toBe(406)
    const open = await openTestApi(database, { aggregates: true, plans: true })
    expect(await (await open.send('/people?select=team_id,count()&order=team_id')).json()).toEqual([
      { team_id: 1, count: 2 }, { team_id: 2, count: 1 }, { team_id: null, count: 1 },
    ])
    expect((await open.send('/people', { headers: { accept: 'application/vnd.pgrst.plan+json' } })).status).toBe(200)
    await open.service.close()
  })

  it('answers at most the most rows there may be', async () => {
    const small = await openTestApi(database, { maxRows: 2 })
    expect(await (await small.send('/people?select=id&order=id')).json()).toHaveLength(2)
    await small.service.close()
  })
})

describe('failing', () => {
  it('suggests the table that was meant', async () => {
    const { status, error } = await api.as(anon).from('peple').select()
    expect([status, error]).toMatchObject([404, { code: 'PGRST205', hint: "Perhaps you meant the table 'public.people'" }])
  })

  it('says where a query is wrong', async () => {
    const response = await api.send('/people?id=noop.1')
    expect(await response.json()).toEqual({
      code: 'PGRST100', message: '"failed to parse filter (noop.1)" (line 1, column 1)', details: 'unexpected "o" expecting "not" or operator (eq, gt, ...)', hint: null,
    })
  })

  it('tells nothing of an unexpected failure', () => {
    const response = api.service.renderError(new Error('secret'), new Request('http://rest.test/'), { caller: anon } as never)
    expect(response.status).toBe(500)
  })

  it('answers a refused token with how to ask again', async () => {
    const expired = await api.send('/people', { context: { tokenFault: 'expired' } })
    expect([expired.status, (await expired.json()).code, expired.headers.get('www-authenticate')]).toEqual([
      401, 'PGRST303', 'Bearer error="invalid_token", error_description="JWT expired"',
    ])
    const claims = Buffer.from('{"exp":"tomorrow"}').toString('base64url')
    const odd = await api.send('/people', { headers: { authorization: `Bearer a.${claims}.c` }, context: { tokenFault: 'malformed' } })
    expect(await odd.json()).toMatchObject({ code: 'PGRST303', message: "The JWT 'exp' claim must be a number" })
    const forged = await api.send('/people', { context: { tokenFault: 'bad-signature' } })
    expect((await forged.json()).code).toBe('PGRST301')
  })

  it('keeps schemas that are not exposed out of reach', async () => {
    const response = await api.send('/users', { headers: { 'accept-profile': 'auth' } })
    expect([response.status, (await response.json()).code]).toEqual([406, 'PGRST106'])
    expect((await api.send('/users?select=*')).status).toBe(404)
  })
})

describe('following the schema', () => {
  it('knows a table as soon as its creation was announced', async () => {
    expect((await api.send('/fresh')).status).toBe(404)
    await database.script('postgres', `create table public.fresh (id int); grant select on public.fresh to anon; notify pgrst, 'reload schema'`)
    await expect.poll(async () => (await api.send('/fresh')).status, { timeout: 5_000 }).toBe(200)
  })

  it('says what may be done with a relation', async () => {
    expect((await api.send('/people', { method: 'OPTIONS' })).headers.get('allow')).toBe('OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE')
    expect((await api.send('/rpc/add?a=1', { method: 'OPTIONS' })).headers.get('allow')).toBe('OPTIONS,GET,HEAD,POST')
  })

  it('answers HEAD as GET without a body', async () => {
    const response = await api.send('/people?select=id', { method: 'HEAD', headers: { prefer: 'count=exact' } })
    expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([200, '0-3/4', ''])
  })
})

describe('settings kept in the database', () => {
  it('are heeded after `reload config`', async () => {
    await database.script('postgres', `alter role authenticator set pgrst.db_max_rows = '1'; notify pgrst, 'reload config'`)
    await expect.poll(async () => (await (await api.send('/people?select=id')).json()).length, { timeout: 5_000 }).toBe(1)
    await database.script('postgres', `alter role authenticator reset pgrst.db_max_rows; notify pgrst, 'reload config'`)
    await expect.poll(async () => (await (await api.send('/people?select=id')).json()).length, { timeout: 5_000 }).toBe(4)
  })

  it("run a role's transactions as the role was set to", async () => {
    await database.script('postgres', `create function public.zone() returns text language sql as $$ select current_setting('timezone') $$;
      alter role anon set timezone = 'Asia/Tokyo'; notify pgrst`)
    await expect.poll(async () => (await api.as(anon).rpc('zone')).data, { timeout: 5_000 }).toBe('Asia/Tokyo')
    const asked = await api.send('/rpc/zone', { headers: { prefer: 'timezone=Europe/Berlin' } })
    expect([await asked.json(), asked.headers.get('preference-applied')]).toEqual(['Europe/Berlin', 'timezone=Europe/Berlin'])
    await database.script('postgres', 'alter role anon reset timezone; notify pgrst')
  })
})

describe('the root', () => {
  it("describes the schema to a secret key and not to the browser's", async () => {
    const hidden = await api.send('/')
    expect([hidden.status, (await hidden.json()).code]).toEqual([403, '42501'])
    const shown = await api.send('/', { context: { caller: { role: 'service_role', claims: { role: 'service_role' } } } })
    const { paths, definitions, basePath } = await shown.json()
    expect([shown.headers.get('content-type'), basePath]).toEqual(['application/openapi+json; charset=utf-8', '/rest/v1'])
    expect(Object.keys(paths)).toContain('/rpc/add')
    expect(definitions.people.properties.team_id).toMatchObject({ type: 'integer', description: expect.stringContaining("<fk table='teams' column='id'/>") })
  })

  it('describes only what the caller may use', async () => {
    const open = await openTestApi(database, { openApiRoles: undefined })
    const { definitions } = await (await open.send('/')).json()
    expect(definitions.people).toBeDefined()
    expect(definitions.skills).toBeUndefined()
    await open.service.close()
  })
})

describe('hostile requests', () => {
  it.each([
    `/people?select=${encodeURIComponent('id"; drop table people; --')}`, '/people?order=id;drop', `/people?${encodeURIComponent('id"=')}=eq.1`,
    `/${encodeURIComponent('people"; drop table people')}`, '/rpc/pg_sleep?seconds=5', '/people?select=pg_sleep(5)', '/people/../teams', '/rpc/add/1',
    '/people?on_conflict=id);--', '/people?columns=id)--',
  ])('come to nothing: %s', async (path) => {
    const response = await api.send(path)
    expect(response.status).toBeLessThan(500)
    expect((await api.send('/people?select=id')).status).toBe(200)
  })

  it('cannot end their read-only transaction or change their role', async () => {
    const response = await api.send(`/people?id=eq.1&name=eq.${encodeURIComponent("x'; reset role; --")}`)
    expect(await response.json()).toEqual([])
    expect((await (await api.send('/rpc/whoami')).json()).role).toBe('anon')
  })
})
