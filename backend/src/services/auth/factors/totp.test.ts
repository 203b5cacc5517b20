import { describe, expect, it } from 'vitest'

import { qrCodeSvg } from './qr-code.ts'
import { matchTotp, newTotpSecret, totpCode, totpUri } from './totp.ts'

describe('codes of an authenticator app', () => {
  // The key "12345678901234567890" in base 32, and the last six of the eight digits of RFC 6238, appendix B.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const vectors: [number, string][] = [[59, '287082'], [1_111_111_109, '081804'], [1_111_111_111, '050471'], [1_234_567_890, '005924'], [2_000_000_000, '279037'], [20_000_000_000, '353130']]

  it.each(vectors)('are those of RFC 6238 at second %d', (seconds, code) => {
    expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code)
    expect(matchTotp(secret, code, { nowMs: seconds * 1000, usedStep: null })).toBe(Math.floor(seconds / 30))
  })

  it('are accepted one step early or late, and no more', () => {
    const at = (step: number) => matchTotp(secret, totpCode(secret, 1000), { nowMs: step * 30_000, usedStep: null })
    expect([998, 999, 1000, 1001, 1002].map(at)).toEqual([undefined, 1000, 1000, 1000, undefined])
  })

  it('are over once one of their step or of a later one was used', () => {
    const at = (usedStep: number) => matchTotp(secret, totpCode(secret, 1000), { nowMs: 30_000_000, usedStep })
    expect([999, 1000, 1001].map(at)).toEqual([1000, undefined, undefined])
  })

  it('come from keys of 32 letters, no two alike', () => {
    const keys = new Set(Array.from({ length: 50 }, newTotpSecret))
    expect(keys.size).toBe(50)
    for (const key of keys) expect(key).toMatch(/^[A-Z2-7]{32}$/)
  })
})

describe('what an app scans', () => {
  it('names issuer, account and key, escaped', () => {
    expect(totpUri({ issuer: 'Äcme & Co', account: 'a+b@example.com', secret: 'ABC' })).toBe(
      'otpauth://totp/%C3%84cme%20%26%20Co:a%2Bb%40example.com?algorithm=SHA1&digits=6&issuer=%C3%84cme%20%26%20Co&period=30&secret=ABC',
    )
  })

  it('is a picture that survives in a data address as it is', () => {
    const svg = qrCodeSvg('otpauth://totp/a:b?secret=ABC') ?? ''
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(svg).not.toMatch(/[#%\n]/)
    expect(qrCodeSvg('x'.repeat(3000))).toBeUndefined()
  })
})
