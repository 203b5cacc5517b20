import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

const token = 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiIxIiwiZXhwIjoxfQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg'

describe('a report', () => {
  it.each([
    ['a token', `Authorization: Bearer ${token}`, [token, 'c2lnbmF0dXJl']],
    ['a cookie of the official client', `sb-x=base64-${btoa(token)}`, [btoa(token)]],
    ['an opaque bearer', 'authorization: bearer abc.def-12345', ['abc.def-12345']],
    ['a publishable key', 'apikey sb_publishable_Abc-123_x', ['Abc-123_x']],
    ['a secret key', 'sb_secret_9sQ_1', ['9sQ_1']],
    ['a password in an address', 'postgres://admin:hunter2@db.example:5432/x', ['hunter2']],
    ['a signed link', '/storage/v1/object/sign/a/b.png?token=abc123&download=', ['abc123']],
    ['a code of a callback', '/callback?code=9f8e7d6c', ['9f8e7d6c']],
    ['an e-mail address', 'Signed in as ada.lovelace@mail.example', ['ada.lovelace', 'mail.example']],
    ['an e-mail address in a path', '/rest/v1/people?select=id&note=ada%40mail.example', ['ada%40']],
    ['the value of a filter', '/rest/v1/tickets?select=id&subject=ilike.*payroll*&status=not.in.(a,b)', ['payroll', '(a,b)']],
    ['an argument of a function', '/rest/v1/rpc/find?name=Miller&born=1970', ['Miller', '1970']],
    ['joined conditions', '/rest/v1/tickets?or=(name.eq.Miller,age.gt.30)', ['Miller', '30']],
    ['a person’s id', 'sub 3f2c91ab-1111-4222-8333-444455556666', ['4222-8333', '444455556666']],
    ['a long opaque text', `refresh ${'aB3'.repeat(20)}`, ['aB3aB3']],
  ])('holds no part of %s', (_, text, secrets) => {
    const { text: left, removed } = redact(text)
    for (const secret of secrets) expect(left).not.toContain(secret)
    expect([...removed.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
  })

  it('says how many of each were taken out', () => {
    expect(Object.fromEntries(redact('a@b.example, c@d.example, sb_secret_x1').removed)).toEqual({ email: 2, key: 1 })
  })

  it('holds none of the values it was told of, whatever they look like', () => {
    const { text, removed } = redact('key=plain-old-key by someone@intranet', ['plain-old-key', 'someone@intranet'])
    expect(text).not.toMatch(/plain-old-key|someone/)
    expect(Object.fromEntries(removed)).toEqual({ key: 1, email: 1 })
  })

  it('keeps what helps to find the fault', () => {
    const line = '14:05:01 GET /rest/v1/tickets?select=id,subject&order=id.desc&limit=50 → 403 42501, 12 ms, request 01J9-77'
    expect(redact(line)).toEqual({ text: line, removed: new Map() })
  })
})
