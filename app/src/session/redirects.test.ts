import { describe, expect, it } from 'vitest'
import { safePath, signInPath, withReturn } from './redirects.ts'

describe('a place to return to', () => {
  it.each([
    ['/data/public/tickets', '/data/public/tickets'],
    ['/data/public/tickets?sort=due&filter=a%26b#row', '/data/public/tickets?sort=due&filter=a%26b#row'],
    ['/account/../data', '/data'],
    ['/data/public/%2F%2Fevil.example', '/data/public/%2F%2Fevil.example'],
    ['/data?next=https://evil.example', '/data?next=https://evil.example'],
    ['/@evil.example', '/@evil.example'],
  ])('keeps the path %s', (target, path) => {
    expect(safePath(target)).toBe(path)
  })

  it.each([
    '',
    'https://evil.example',
    'HTTPS://evil.example',
    'https:evil.example',
    'https:/evil.example',
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/\u0000/evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'blob:https://evil.example/1',
    'evil.example',
    '@evil.example',
    'user@evil.example',
    '?to=//evil.example',
    '#//evil.example',
    './/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '//user:pass@evil.example',
    '//evil.example:80/%2f..',
    '/sign-in?to=/sign-in',
    '/callback?code=stolen',
    `/${'a'.repeat(3000)}`,
  ])('refuses %j', (target) => {
    expect(safePath(target)).toBe('/')
  })

  it('takes nothing for the start page', () => {
    expect(safePath(null)).toBe('/')
    expect(safePath(undefined)).toBe('/')
  })

  it('stays on the origin of the page however the browser reads it', () => {
    for (const target of ['/..//evil.example', '/\\evil.example', '/x/%2e%2e//evil.example', '/%5cevil.example']) {
      expect(new URL(safePath(target), 'https://app.example').origin).toBe('https://app.example')
    }
  })

  it('travels in the address of the sign-in page, and is left out when it is the start', () => {
    expect(signInPath('/data/public/tickets?sort=due')).toBe('/sign-in?to=%2Fdata%2Fpublic%2Ftickets%3Fsort%3Ddue')
    expect(signInPath('/')).toBe('/sign-in')
    expect(withReturn('/sign-up', '/account')).toBe('/sign-up?to=%2Faccount')
  })
})
