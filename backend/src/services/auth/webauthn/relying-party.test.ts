import { describe, expect, it } from 'vitest'

import { relyingParty } from './relying-party.ts'

const nothing = { rpId: '', rpDisplayName: '', rpOrigins: [] }

describe('for whom authenticators sign', () => {
  it('is what the project says', () => {
    const given = { rpId: 'example.com', rpDisplayName: 'Example', rpOrigins: ['https://app.example.com/'] }
    expect(relyingParty(given, { siteUrl: 'https://elsewhere.com', places: ['https://example.com'] })).toEqual({ ...given, rpOrigins: ['https://app.example.com'] })
  })

  it('is the site and what lies on its host or below it, when the project says nothing', () => {
    const places = ['https://app.example.com/welcome', 'https://*.example.com/**', 'https://evil.com/**', 'https://notexample.com', 'myapp://example.com', 'https://example.com:8443/**', 'no address']
    expect(relyingParty(nothing, { siteUrl: 'https://example.com/start', places })).toEqual({
      rpId: 'example.com',
      rpDisplayName: 'example.com',
      rpOrigins: ['https://example.com', 'https://app.example.com', 'https://example.com:8443'],
    })
  })

  it('is localhost on this machine, since browsers take no address', () => {
    const places = ['http://127.0.0.1:54321', 'http://localhost:54321', 'http://localhost:5173/**']
    expect(relyingParty(nothing, { siteUrl: 'http://127.0.0.1:3000', places })).toEqual({
      rpId: 'localhost',
      rpDisplayName: 'localhost',
      rpOrigins: ['http://localhost:3000', 'http://localhost:54321', 'http://localhost:5173'],
    })
  })
})
