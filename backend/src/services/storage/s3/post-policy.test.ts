import { describe, expect, test } from 'vitest'
import { judgePostPolicy } from './post-policy.ts'

const now = Date.parse('2026-11-20T18:00:00Z')
const encode = (policy: unknown): string => Buffer.from(JSON.stringify(policy)).toString('base64')
const policy = (conditions: unknown[], expiration = '2026-11-20T18:05:00Z'): string => encode({ expiration, conditions })
const fields = (more: Record<string, string> = {}): Map<string, string> => new Map(Object.entries({ bucket: 'b', key: 'user/1/a.txt', policy: '…', ...more }))
const usual = [{ bucket: 'b' }, ['starts-with', '$key', 'user/1/']]

describe('the policy of a posted form', () => {
  test('lets through what it names, and says the sizes it allows', () => {
    expect(judgePostPolicy(policy([...usual, ['content-length-range', 1, 10]]), fields(), now)).toEqual({ leastBytes: 1, mostBytes: 10 })
    expect(judgePostPolicy(policy([...usual, ['eq', '$Content-Type', 'text/plain']]), fields({ 'content-type': 'text/plain', 'x-ignore-me': 'x' }), now).leastBytes).toBe(0)
  })

  test.each<[string, string, Map<string, string>]>([
    ['another key', policy(usual), fields({ key: 'user/2/a.txt' })],
    ['another bucket', policy(usual), fields({ bucket: 'c' })],
    ['a field it does not name', policy(usual), fields({ 'x-amz-meta-role': 'admin' })],
    ['a field it names that is not there', policy([...usual, { acl: 'private' }]), fields()],
    ['no key in its conditions', policy([{ bucket: 'b' }]), fields()],
    ['a condition of another kind', policy([...usual, ['ends-with', '$key', '.txt']]), fields()],
    ['a condition of two', policy([{ bucket: 'b', key: 'user/1/a.txt' }]), fields()],
    ['no expiry', encode({ conditions: usual }), fields()],
    ['an expiry that is past', policy(usual, '2026-11-20T17:59:59Z'), fields()],
    ['an expiry that is none', policy(usual, 'tomorrow'), fields()],
    ['what is no policy', 'AAAA', fields()],
  ])('refuses %s', (_, encoded, form) => {
    expect(() => judgePostPolicy(encoded, form, now)).toThrow()
  })
})
