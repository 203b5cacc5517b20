import { expect, test } from 'vitest'
import type { Description, RelationDescription } from './description.ts'
import { comparisonsOf, rulesIn, rulesOf } from './rules.ts'

test.each([
  ['((char_length(name) >= 2) AND (char_length(name) <= 80))', 'name', [{ rule: 'length', minimum: 2, trimmed: false }, { rule: 'length', maximum: 80, trimmed: false }]],
  ['(length(TRIM(BOTH FROM name)) > 0)', 'name', [{ rule: 'length', minimum: 1, trimmed: true }]],
  ['(btrim(name) <> \'\'::text)', 'name', [{ rule: 'length', minimum: 1, trimmed: true }]],
  ['(price >= (0)::numeric)', 'price', [{ rule: 'range', minimum: { value: '0', exclusive: false } }]],
  ['((0)::numeric < price)', 'price', [{ rule: 'range', minimum: { value: '0', exclusive: true } }]],
  ['(t > \'-40.5\'::numeric)', 't', [{ rule: 'range', minimum: { value: '-40.5', exclusive: true } }]],
  ["(role = ANY (ARRAY['owner'::text, 'it''s'::text]))", 'role', [{ rule: 'one-of', values: ['owner', "it's"] }]],
  ["((role)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))", 'role', [{ rule: 'one-of', values: ['a', 'b'] }]],
  ["((x = 'a'::text) OR (x = 'b'::text))", 'x', [{ rule: 'one-of', values: ['a', 'b'] }]],
  ["(slug ~ '^[a-z0-9-]+$'::text)", 'slug', [{ rule: 'pattern', source: '^[a-z0-9-]+$', ignoreCase: false, negated: false }]],
  ["((website IS NULL) OR (website ~* '^https?://'::text))", 'website', [{ rule: 'pattern', source: '^https?://', ignoreCase: true, negated: false }]],
  ["(jsonb_typeof(details) = 'object'::text)", 'details', [{ rule: 'json-type', type: 'object' }]],
  ['(COALESCE(array_length(tags, 1), 0) <= 10)', 'tags', [{ rule: 'items', maximum: 10 }]],
  ['(array_length(tags, 1) >= 1)', 'tags', []],
  ['(cardinality(tags) <= 10)', 'tags', [{ rule: 'items', maximum: 10 }]],
  ['("Order" IS NOT NULL)', 'Order', [{ rule: 'present' }]],
])('reads %s', (expression, column, rules) => {
  expect(rulesIn(expression, column)).toEqual(rules)
})

test.each([
  '((price * (2)::numeric) > (10)::numeric)',
  "CASE WHEN (kind = 'a'::text) THEN (x > 1) ELSE true END",
  "(name ~ '\\mword\\M'::text)",
  "(name ~ '[[:alpha:]]'::text)",
  '(EXTRACT(hour FROM at) > 3)',
  '((name',
])('leaves %s to the server', (expression) => {
  expect(['price', 'kind', 'name', 'at', 'x'].flatMap((column) => rulesIn(expression, column))).toEqual([])
})

test('joins the two ends of a range and adds the rules of the column\'s domain', () => {
  const description = {
    types: { 'public.email': { kind: 'domain', base: 'public.short', checks: [{ name: 'e', expr: "(VALUE ~ '@'::text)" }] }, 'public.short': { kind: 'domain', base: 'text', checks: [{ name: 's', expr: '(length(VALUE) < 100)' }] } },
  } as unknown as Description
  const relation = { checks: [{ name: 'c', columns: ['mail'], expr: '((length(mail) >= 3) AND (length(mail) <= 80))' }] } as unknown as RelationDescription
  expect(rulesOf(description, relation, { name: 'mail', type: 'public.email', base: 'text', can: 'siu' })).toEqual([
    { rule: 'length', minimum: 3, maximum: 80, trimmed: false },
    { rule: 'pattern', source: '@', ignoreCase: false, negated: false },
    { rule: 'length', maximum: 99, trimmed: false },
  ])
})

test('reads a comparison of two columns', () => {
  const relation = { checks: [{ name: 'order', columns: ['a', 'b'], expr: '((ends_at IS NULL) OR (ends_at > starts_at))' }] } as unknown as RelationDescription
  expect(comparisonsOf(relation)).toEqual([{ left: 'ends_at', operator: '>', right: 'starts_at', name: 'order' }])
})
