import { describe, expect, it } from 'vitest'
import { PreparedPlans, type Prepared } from './prepare.ts'
import { readApiRequest } from './request/api-request.ts'
import { RelationshipIndex } from './schema-cache/relationship-index.ts'
import { makeSchemaCache } from './schema-cache/schema-cache.ts'
import { makeTable } from './schema-cache/table.ts'
import { defaultRestSettings, type RestSettings } from './settings.ts'

const settings: RestSettings = { ...defaultRestSettings, schemas: ['public'], maxRows: undefined }
const table = makeTable({
  schema: 'public', name: 'items', isView: false, insertable: true, updatable: true, deletable: true, primaryKey: ['id'],
  columnsJson: '[["id","integer","integer",null],["name","text","text",null],["price$1","integer","integer",null]]',
})
const cache = makeSchemaCache({
  schemas: ['public'], tables: [table], routines: [], representations: new Map(), mediaHandlers: [],
  relationships: new RelationshipIndex({ schemas: ['public'], findTable: () => table, foreignKeys: [], viewKeys: [], computed: [] }),
})

function prepare(plans: PreparedPlans, query: string, { method = 'GET', body = '', prefer = '' } = {}): Prepared {
  const headers = new Headers({ prefer })
  const request = readApiRequest({ method, path: '/items', query, headers, body: Buffer.from(body) }, { settings, isTimezone: () => false })
  return plans.prepare({ cache, settings, request }, request.action as never)
}

describe('PreparedPlans', () => {
  it('gives requests that differ in values the same text and their own values', () => {
    const plans = new PreparedPlans()
    const first = prepare(plans, '?id=eq.1&name=like.a*')
    const second = prepare(plans, '?id=eq.2&name=like.b*')
    expect(second.plan).toBe(first.plan)
    expect([first.main.text === second.main.text, first.main.values, second.main.values]).toEqual([true, ['1', 'a%'], ['2', 'b%']])
  })

  it.each([
    ['?id=eq.1', '?id=neq.1'], ['?id=eq.1', '?id=not.eq.1'], ['?id=eq.1', '?name=eq.1'], ['?id=is.null', '?id=is.true'], ['?limit=1', '?limit=2'],
    ['?select=id', '?select=name'], ['?order=id', '?order=id.desc'], ['?or=(id.eq.1,id.eq.2)', '?or=(id.eq.1,id.eq.3)'],
    ['?name=fts(simple).a', '?name=fts(german).a'], ['?id=eq(any).{1}', '?id=eq.{1}'],
    // One parameter whose value looks like two.
    ['?or=(name.eq.x%26a%3Db)&select=id', '?or=(name.eq.x)&select=id'],
  ])('tells %s from %s', (one, other) => {
    const plans = new PreparedPlans()
    const first = prepare(plans, one)
    const second = prepare(plans, other)
    expect({ ...second.main }).not.toEqual({ ...first.main })
    expect(prepare(new PreparedPlans(), other).main).toEqual(second.main)
  })

  it('keeps bodies apart from the statement they fill', () => {
    const plans = new PreparedPlans()
    const first = prepare(plans, '', { method: 'POST', body: '{"id":1}' })
    const second = prepare(plans, '', { method: 'POST', body: '{"id":2}' })
    expect([second.plan === first.plan, second.main.values]).toEqual([true, ['{"id":2}']])
    const other = prepare(plans, '', { method: 'POST', body: '[{"id":2}]' })
    expect(other.main.text).toContain('json_to_recordset')
  })

  it('takes a value with a zero byte for a value', () => {
    const plans = new PreparedPlans()
    expect(prepare(plans, '?id=eq.%000&name=eq.x').main.values).toEqual(['\u00000', 'x'])
    expect(prepare(plans, '?id=eq.5&select=a->%000').main.values).not.toContain('\u00001')
  })

  it('writes a cast bare only where it can be nothing but a type', () => {
    const cast = (type: string): string => /cast\(.*? as (.*?)\)/.exec(prepare(new PreparedPlans(), `?select=id::${type}`).main.text)?.[1] ?? ''
    expect(['character varying', 'int8', '$1', '1x', 'имя'].map(cast)).toEqual(['character varying', 'int8', '"$1"', '"1x"', '"имя"'])
  })

  it('leaves a column named like a parameter what it is', () => {
    const { main } = prepare(new PreparedPlans(), '?id=eq.5&name=eq.6&price$1=eq.7')
    expect(main.text).toContain('"price$1" = $3')
    expect(main.values).toEqual(['5', '6', '7'])
  })
})
