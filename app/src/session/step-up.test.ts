import { describe, expect, it } from 'vitest'
import type { User } from '#api/client.ts'
import { findMissingFactor, readFacts, type SessionState } from './session-state.ts'
import { freshProofMs, neededProof, noteProof } from './step-up.ts'

const person = (given: Partial<User> = {}) => ({ id: 'ada', created_at: '2026-01-01', app_metadata: {}, user_metadata: {}, aud: '', ...given }) as User
const factors = [{ id: 'app', factor_type: 'totp', status: 'verified' }] as unknown as NonNullable<User['factors']>
const half = [{ id: 'app', factor_type: 'totp', status: 'unverified' }] as unknown as NonNullable<User['factors']>

describe('what a session lacks', () => {
  it('is the second factor its person has, until it was shown', () => {
    expect(findMissingFactor(person({ factors }), 'aal1', false)).toBe('challenge')
    expect(findMissingFactor(person({ factors }), 'aal2', true)).toBeUndefined()
    expect(findMissingFactor(person({ factors: half }), 'aal1', false)).toBeUndefined()
  })

  it('is setting one up where that is required, for those who can', () => {
    expect(findMissingFactor(person({ factors: half }), 'aal1', true)).toBe('enrolment')
    expect(findMissingFactor(person({ is_anonymous: true }), 'aal1', true)).toBeUndefined()
    expect(findMissingFactor(person({ app_metadata: { provider: 'sso:1' } }), 'aal1', true)).toBeUndefined()
    expect(findMissingFactor(person({ created_at: '' }), 'aal1', true)).toBeUndefined()
  })
})

describe('before something risky', () => {
  const at = Date.UTC(2026, 10, 20)
  const state = (id: string, user: User): SessionState => {
    const amr = [{ method: 'password', timestamp: at / 1000 }, { method: 'totp', timestamp: at / 1000 + 60 }, { method: 'token_refresh', timestamp: 0 }]
    return { step: 'signed-in', user, session: readFacts({ session_id: id, aal: 'aal2', amr }, at) }
  }

  it('a proof of the last ten minutes is enough: of the second factor, for those who have one', () => {
    expect(neededProof(state('a', person()), at + freshProofMs - 1)).toBe('none')
    expect(neededProof(state('a', person()), at + freshProofMs)).toBe('again')
    expect(neededProof(state('a', person({ factors })), at + freshProofMs)).toBe('none')
    expect(neededProof(state('a', person({ factors })), at + freshProofMs + 60_000)).toBe('factor')
  })

  it('counts what was shown without a trace in the token, for that session alone; a guest has nothing to show', () => {
    const later = at + 10 * freshProofMs
    noteProof('b', later)
    expect(neededProof(state('b', person()), later)).toBe('none')
    expect(neededProof(state('c', person()), later)).toBe('again')
    expect(neededProof(state('c', person({ is_anonymous: true })), later)).toBe('none')
  })
})
