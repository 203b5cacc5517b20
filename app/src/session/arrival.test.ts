import { describe, expect, it } from 'vitest'
import { misdirectedArrival, readArrival } from './arrival.ts'

const at = (rest: string) => readArrival(`https://app.example/callback${rest}`)

describe('an arrival', () => {
  it('is a code, with the flow it belongs to when the address names it', () => {
    expect(at('?code=abc')).toEqual({ kind: 'code', code: 'abc', flowId: null })
    expect(at('?code=abc&sb_flow_id=0123456789abcdef')).toEqual({ kind: 'code', code: 'abc', flowId: '0123456789abcdef' })
  })

  it('is a token hash with the kind of mail it came in', () => {
    expect(at('?token_hash=pkce_1&type=recovery')).toEqual({ kind: 'token-hash', tokenHash: 'pkce_1', type: 'recovery' })
    expect(at('?token_hash=1')).toEqual({ kind: 'token-hash', tokenHash: '1', type: 'email' })
    expect(at('?token_hash=1&type=sms')).toMatchObject({ kind: 'error' })
  })

  it('is a failure when the query or the fragment says so, whatever else is there', () => {
    expect(at('?error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid&code=x')).toEqual({
      kind: 'error',
      code: 'otp_expired',
      description: 'Email link is invalid',
    })
    expect(at('#error=server_error&error_description=Oh&sb=')).toEqual({ kind: 'error', code: 'server_error', description: 'Oh' })
  })

  it('is a pair of tokens only from the fragment, where no server has seen them', () => {
    expect(at('#access_token=a&refresh_token=r&type=invite')).toEqual({ kind: 'tokens', accessToken: 'a', refreshToken: 'r', type: 'invite' })
    expect(at('?access_token=a&refresh_token=r')).toEqual({ kind: 'nothing' })
  })

  it('is a message after the first of two confirmations', () => {
    expect(at('#message=Confirmation+link+accepted')).toEqual({ kind: 'message', message: 'Confirmation link accepted' })
  })

  it('that was sent to the start page is shown the way to the callback', () => {
    expect(misdirectedArrival('https://app.example/?code=abc')).toBe('/callback?code=abc')
    expect(misdirectedArrival('https://app.example/#error_code=otp_expired')).toBe('/callback#error_code=otp_expired')
    expect(misdirectedArrival('https://app.example/')).toBeUndefined()
    expect(misdirectedArrival('https://app.example/data/public/t?code=abc')).toBeUndefined()
  })
})
