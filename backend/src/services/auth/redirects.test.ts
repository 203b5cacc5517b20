import { describe, expect, it } from 'vitest'

import { createRedirects } from './redirects.ts'
import { defaultAuthSettings } from './settings.ts'

const redirects = createRedirects({
  ...defaultAuthSettings,
  siteUrl: 'https://app.example.com',
  appOrigins: ['http://127.0.0.1:54321'],
  redirectAllowList: ['https://*.preview.example.com/**', 'https://exact.example.com/callback', 'myapp://callback/*', 'http://192.168.1.5:3000/**', 'https://q.example.com/a?next=*'],
})

describe('where people may be sent back to', () => {
  it.each([
    'https://app.example.com',
    'https://app.example.com/any/path?x=1#y',
    'https://exact.example.com/callback',
    'https://exact.example.com/callback#fragment',
    'https://pr-12.preview.example.com/a/b?c=d',
    'myapp://callback/home',
    'http://127.0.0.1:54321/callback?next=%2Fdata',
    'https://q.example.com/a?next=home',
  ])('allows %s', (address) => expect(redirects.isAllowed(address)).toBe(true))

  it.each([
    '',
    'https://evil.example',
    'https://app.example.com.evil.com',
    'https://app.example.com@evil.com',
    'https://user:pass@app.example.com/',
    'https://evil.com#https://app.example.com',
    'https://evil.com?x=https://app.example.com',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https:\\\\evil.com',
    'https:/evil.com',
    'https:evil.com',
    'https:///evil.com',
    '//evil.com',
    '/relative',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://app.example.com\t.evil.com',
    'https://app.example.com\n.evil.com',
    ' https://app.example.com',
    'https://evil.com\\@app.example.com',
    'https://evil.com\\.preview.example.com/x',
    'https://a.b.preview.example.com/x',
    'https://evil.com/.preview.example.com/x',
    'https://preview.example.com/x',
    'https://exact.example.com/callback/more',
    'https://exact.example.com/callback?x=1',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://192.168.1.5:3000/x',
    'http://127.1/',
    'https://app%2eexample.com/',
    'https://аpp.example.com/',
    'http://localhost:54322/callback',
    'http://localhost.evil.com:54321/',
    'myapp://other/home',
  ])('refuses %j', (address) => expect(redirects.isAllowed(address)).toBe(false))

  it('lets programs of this machine come back on any port, since native apps choose theirs', () => {
    const local = createRedirects({ ...defaultAuthSettings, siteUrl: 'http://127.0.0.1:3000', appOrigins: [] })
    expect(local.isAllowed('http://127.0.0.1:5173/callback')).toBe(true)
    expect(redirects.isAllowed('http://127.0.0.1:5173/callback')).toBe(true)
    expect(redirects.isAllowed('http://[::1]:5173/callback')).toBe(true)
    expect(local.isAllowed('http://localhost:3000')).toBe(false)
  })

  it('falls back to the referrer, then to the site, without a word', () => {
    const asked = (url: string, headers = {}) => redirects.choose(new Request(url, { headers }))
    expect(asked('http://x/verify?redirect_to=https%3A%2F%2Fevil.com')).toBe('https://app.example.com')
    expect(asked('http://x/verify?redirect_to=https%3A%2F%2Fevil.com', { referer: 'https://app.example.com/from' })).toBe('https://app.example.com/from')
    expect(asked('http://x/verify?redirect_to=https%3A%2F%2Fexact.example.com%2Fcallback')).toBe('https://exact.example.com/callback')
    expect(asked('http://x/verify', { referer: 'https://evil.com/' })).toBe('https://app.example.com')
  })

  it('names the app’s own page for links that lead into the app, and for no others', () => {
    const link = { tokenHash: 'abc', type: 'recovery' }
    expect(redirects.callbackPage('http://127.0.0.1:54321/callback?next=%2Fa#x', link)).toBe('http://127.0.0.1:54321/callback?next=%2Fa&token_hash=abc&type=recovery')
    expect(redirects.callbackPage('http://127.0.0.1:54321/data/public', link)).toBe(
      'http://127.0.0.1:54321/callback?token_hash=abc&type=recovery&redirect_to=http%3A%2F%2F127.0.0.1%3A54321%2Fdata%2Fpublic')
    expect(redirects.callbackPage('https://app.example.com/x', link)).toBeUndefined()
  })
})
