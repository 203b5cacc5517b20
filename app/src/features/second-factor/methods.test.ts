import { describe, expect, it } from 'vitest'
import type { User } from '#api/client.ts'
import { listMethods } from './methods.ts'

const factor = (id: string, type: string, status = 'verified') => ({ id, factor_type: type, status, friendly_name: id, created_at: '', updated_at: '' })
const factors = [factor('codes', 'recovery_code'), factor('phone', 'phone'), factor('half', 'totp', 'unverified'), factor('app', 'totp'), factor('new', 'smoke-signal')] as unknown as NonNullable<User['factors']>

describe('the ways to show a second factor', () => {
  it('are the verified ones of a known kind, recovery codes last', () => {
    expect(listMethods({ factors }, null).map(({ id }) => id)).toEqual(['app', 'phone', 'codes'])
  })

  it('begin with the one used last, unless that was a recovery code', () => {
    expect(listMethods({ factors }, 'phone').map(({ id }) => id)).toEqual(['phone', 'app', 'codes'])
    expect(listMethods({ factors }, 'codes').map(({ id }) => id)).toEqual(['app', 'phone', 'codes'])
  })
})
