import { expect, it } from 'vitest'
import { httpStatusOf } from './sqlstate.ts'

const status = (sqlstate: string, message = '', signedIn = true): number => httpStatusOf({ sqlstate, message }, signedIn)

it('asks an anonymous caller to sign in and tells a signed-in one that it may not', () => {
  expect(status('42501', '', false)).toBe(401)
  expect(status('42501', '', true)).toBe(403)
})

it.each([
  ['23505', 409], ['23503', 409], ['23502', 400], ['22P02', 400], ['25006', 405], ['25P02', 500], ['42P01', 404], ['42883', 404], ['42703', 400],
  ['08006', 503], ['0L000', 403], ['28000', 403], ['40001', 500], ['53300', 503], ['53400', 500], ['54001', 500], ['57014', 500], ['57P01', 503],
  ['P0001', 400], ['P0003', 500], ['XX000', 500], ['PT402', 402], ['PT999', 500], ['PTxyz', 500], ['zzzzz', 400],
])('answers %s with %i, as PostgREST does', (sqlstate, expected) => {
  expect(status(sqlstate)).toBe(expected)
})

it('looks at the message where the code alone does not tell', () => {
  expect(status('21000', 'DELETE requires a WHERE clause')).toBe(400)
  expect(status('21000', 'more than one row returned by a subquery used as an expression')).toBe(500)
  expect(status('22023', 'role "nobody" does not exist')).toBe(401)
  expect(status('22023', 'invalid value')).toBe(400)
  expect(status('42883', 'function xmlagg(json) does not exist')).toBe(406)
})
