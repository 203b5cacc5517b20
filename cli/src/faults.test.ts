import { DatabaseError } from '@portico/backend'
import { expect, test } from 'vitest'
import { describeFault } from './faults.ts'

const system = (code: string, path?: string) => Object.assign(new Error(`${code}: as the system says it`), { code, ...(path === undefined ? {} : { path }) })

test('what the system refuses is one sentence with its place', () => {
  expect(describeFault(system('EACCES', '/p/.portico'))).toBe('/p/.portico is not open to you: permission denied.')
  expect(describeFault(system('EROFS', '/p/.portico'))).toBe('/p/.portico lies on a disk that cannot be written.')
  expect(describeFault(system('EEXIST', '/p/.portico'))).toMatch(/in the way/)
  expect(describeFault(new Error('The template could not be unpacked', { cause: system('ENOSPC') }))).toMatch(/^The disk is full/)
})

test('a database is unreachable in words, whatever was wrapped around them', () => {
  const wrapped = new DatabaseError({ sqlstate: '08001', message: 'could not connect to the database: connect ECONNREFUSED 127.0.0.1:1' }, { cause: system('ECONNREFUSED') })
  expect(describeFault(wrapped)).toBe('The database cannot be reached: nothing listens there.')
  expect(describeFault(new DatabaseError({ sqlstate: '08001', message: 'could not connect to the database: the server does not offer TLS' }))).toBe(
    'The database cannot be reached: the server does not offer TLS.',
  )
  expect(describeFault(new DatabaseError({ sqlstate: '28P01', message: 'password authentication failed for user "u"' }))).toMatch(/^The database refused: password .*28P01/)
  expect(describeFault(new DatabaseError({ sqlstate: '42501', message: 'permission denied to set role "postgres"' }))).toMatch(/cannot act as the role "postgres"/)
})
