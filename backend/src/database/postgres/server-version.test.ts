import { expect, test } from 'vitest'
import { checkServerVersion } from './server-version.ts'

test('a server older than 15 is refused by its name for itself, whatever was built into it', () => {
  for (const version of ['15.0', '15.14 (Debian 15.14-0+deb12u1)', '18beta1', '17.4']) checkServerVersion(version)
  expect(() => checkServerVersion('14.18 (Ubuntu 14.18-0ubuntu0.22.04.1)')).toThrow('This Postgres is 14.18; version 15 or newer is needed.')
  expect(() => checkServerVersion('9.6.24')).toThrow('9.6.24')
})
