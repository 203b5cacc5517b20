import { describe, expect, it } from 'vitest'
import { ServiceError } from '#contract/service-error.ts'
import { parseQueryParams } from './query-params.ts'

function refusal(query: string): { message: string; details: string | null } {
  try {
    parseQueryParams(query, false)
  } catch (error) {
    if (error instanceof ServiceError) return { message: error.message, details: error.details }
    throw error
  }
  throw new Error('was accepted')
}

describe('parseQueryParams', () => {
  it('reads columns, renames, casts, JSON paths and aggregates', () => {
    const { select } = parseQueryParams('select=*,a:b->c->>-1::text,"odd, name",count(),total:price.sum()::int', false)
    expect(select).toEqual([
      { kind: 'field', field: { name: '*', path: [] } },
      { kind: 'field', field: { name: 'b', path: [{ asText: false, key: 'c' }, { asText: true, index: '-1' }] }, alias: 'a', cast: 'text' },
      { kind: 'field', field: { name: 'odd, name', path: [] } },
      { kind: 'field', field: { name: '*', path: [] }, aggregate: 'count' },
      { kind: 'field', field: { name: 'price', path: [] }, alias: 'total', aggregate: 'sum', aggregateCast: 'int' },
    ])
  })

  it('reads embedded resources with hints, joins and spreads, however deep', () => {
    const { select } = parseQueryParams('select=x:clients!fk!inner(id,...owner!left(name,tags()))', false)
    expect(select).toEqual([
      {
        kind: 'embed', name: 'clients', spread: false, alias: 'x', hint: 'fk', join: 'inner',
        items: [
          { kind: 'field', field: { name: 'id', path: [] } },
          {
            kind: 'embed', name: 'owner', spread: true, join: 'left',
            items: [{ kind: 'field', field: { name: 'name', path: [] } }, { kind: 'embed', name: 'tags', spread: false, items: [] }],
          },
        ],
      },
    ])
  })

  it('places filters, orders and limits at the resource their path names', () => {
    const params = parseQueryParams('a.b=not.eq.5&a.order=x.desc.nullslast,r(y)&a.limit=3&a.offset=2&a.not.or=(b.gt.1,c.in.(1,"2,3"))', false)
    expect(params.filters).toEqual([
      { path: ['a'], value: { field: { name: 'b', path: [] }, negated: true, operation: { kind: 'quantifiable', operator: 'eq', value: '5' } } },
    ])
    expect(params.order).toEqual([
      {
        path: ['a'],
        value: [{ field: { name: 'x', path: [] }, direction: 'desc', nulls: 'nullslast' }, { relation: 'r', field: { name: 'y', path: [] } }],
      },
    ])
    expect(params.ranges).toEqual(new Map([['a.limit', { first: 2, last: 4 }]]))
    expect(params.logic).toMatchObject([{ path: ['a'], value: { kind: 'group', negated: true, operator: 'or', members: [{}, { filter: { operation: { value: '{"1","2,3"}' } } }] } }])
  })

  it('tells arguments of a function from filters on its rows', () => {
    const params = parseQueryParams('name=nothing&id=eq.1&x=1', true)
    expect(params.args).toEqual([['name', 'nothing'], ['x', '1']])
    expect(params.filters).toHaveLength(1)
  })

  it('sorts the canonical query by name and joins what comes twice', () => {
    expect(parseQueryParams('b=gt.1&a=eq.x y&b=lt.9', false).canonical).toBe('a=eq.x%20y&b=gt.1,lt.9')
  })

  it.each([
    ['id=noop.1', 'filter (noop.1)', 1, 'unexpected "o" expecting "not" or operator (eq, gt, ...)'],
    ['select=id,clients(name[])', 'select parameter (id,clients(name[]))', 16, `unexpected '[' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`],
    ['select=name::', 'select parameter (name::)', 7, 'unexpected end of input expecting letter or digit'],
    ['order=id.descc', 'order (id.descc)', 8, `unexpected 'c' expecting delimiter (.), "," or end of input`],
    ['order=id.asc.nullslasttt', 'order (id.asc.nullslasttt)', 17, `unexpected 't' expecting "," or end of input`],
    ['order=clients(name,id)', 'order (clients(name,id))', 8, `unexpected '(' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input`],
    ['or=()', 'logic tree (())', 4, 'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)'],
    ['or=(id.in.1,2,id.eq.3)', 'logic tree ((id.in.1,2,id.eq.3))', 10, 'unexpected "1" expecting "("'],
    ['or=(id.eq.1,not.xor(id.eq.2,id.eq.3))', 'logic tree ((id.eq.1,not.xor(id.eq.2,id.eq.3)))', 16, 'unexpected "x" expecting logic operator (and, or)'],
  ])("says where %s goes wrong, in the upstream parser's words", (...refused) => {
    const [query, what, column, details] = refused
    expect(refusal(query)).toEqual({ message: `"failed to parse ${what}" (line 1, column ${column})`, details })
  })

  it('reads a deep tree, and refuses one that nobody could mean', () => {
    const deep = (levels: number): string => `or=(${'and('.repeat(levels)}id.eq.1${')'.repeat(levels)})`
    expect(parseQueryParams(deep(200), false).logic).toHaveLength(1)
    expect(refusal(deep(50_000)).message).toBe('the query is nested too deeply')
    expect(refusal(`select=${'a('.repeat(50_000)}${')'.repeat(50_000)}`).message).toBe('the query is nested too deeply')
  })

  it.each([['blanks', `id=in.(${' '.repeat(50_000)}`], ['quotes', `id=in.(${'"'.repeat(50_000)}`], ['dots', `${'a.'.repeat(20_000)}b=eq.1`], ['signs', `order=${'a->'.repeat(20_000)}`]])(
    'gives up on a run of %s in good time',
    (_name, query) => {
      const startedAt = performance.now()
      try {
        parseQueryParams(query, false)
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError)
      }
      expect(performance.now() - startedAt).toBeLessThan(15_000)
    },
  )
})
