import { describe, expect, it } from 'vitest'
import { freeName, listOwnFactors } from './factor-list.ts'

describe('the name of a new factor', () => {
  it('is the wanted one, or that with the first free number', () => {
    expect(freeName('App', [])).toBe('App')
    expect(freeName('App', ['App', 'App 2', 'Key'])).toBe('App 3')
    expect(freeName('App 2', ['App 2'])).toBe('App 3')
  })
})

describe('the list of factors', () => {
  const factor = (id: string, type: string, createdAt: string) => ({ id, factor_type: type, status: id === 'half' ? 'unverified' : 'verified', created_at: createdAt })
  it('holds what works for signing in, oldest first, and no recovery codes', () => {
    const factors = [factor('late', 'webauthn', '2026-02'), factor('codes', 'recovery_code', '2026-01'), factor('half', 'totp', '2026-01'), factor('early', 'totp', '2026-01')]
    expect(listOwnFactors({ factors: factors as never }).map(({ id }) => id)).toEqual(['early', 'late'])
  })
})
