import { describe, expect, it } from 'vitest'
import { shownName, shownPicture } from '#session/app-name.ts'
import { leadsTo, readDestination, siteOf } from './return-address.ts'

describe('where an answer leads', () => {
  it('is told by the host the address really has', () => {
    expect(readDestination('https://shop.example/callback')).toEqual({ kind: 'web', host: 'shop.example' })
    expect(readDestination('https://shоp.example/')).toEqual({ kind: 'web', host: 'xn--shp-ted.example' })
    expect(readDestination('http://localhost:4000/cb')).toEqual({ kind: 'device', host: 'localhost:4000' })
    expect(readDestination('http://[::1]:4000/cb')).toEqual({ kind: 'device', host: '[::1]:4000' })
    expect(readDestination('cursor://anysphere/oauth')).toEqual({ kind: 'app', scheme: 'cursor://' })
  })

  it('is nowhere for what would run here, hides its host or is open to others on the way', () => {
    const unsafe = [
      'javascript:alert(1)', 'JAVASCRIPT://shop.example/%0aalert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x', 'blob:https://shop.example/x',
      'file:///etc/passwd', 'about:blank', 'https://shop.example@evil.example/', 'http://shop.example/', '/callback', '', 'https://', 'filesystem:https://shop.example/x',
    ]
    for (const address of unsafe) expect([address, readDestination(address)]).toEqual([address, undefined])
  })

  it('is what was shown, up to its query', () => {
    const shown = 'https://shop.example/callback?from=x'
    expect(leadsTo('https://shop.example/callback?from=x&code=1', shown)).toBe(true)
    for (const other of ['https://shop.example/callback/more?code=1', 'https://evil.example/callback?code=1', 'http://shop.example/callback?code=1', 'javascript:alert(1)']) expect(leadsTo(other, shown)).toBe(false)
    expect(leadsTo('javascript:alert(1)', 'javascript:alert(1)')).toBe(false)
    expect(siteOf(shown)).toBe('https://shop.example')
    expect(siteOf('cursor://x/y')).toBeUndefined()
  })
})

describe("an application's name", () => {
  it('is shown in one line, without what cannot be seen, and not too long', () => {
    expect(shownName('  Shop\n\tof   Ada ')).toBe('Shop of Ada')
    expect(shownName('Shop\u202e\u200b\u2066 gnp.exe')).toBe('Shop gnp.exe')
    expect(shownName('\u200b\u3164\u0000')).toBe('')
    expect([...shownName('x'.repeat(1024))]).toHaveLength(60)
    expect(shownName('<b>Shop</b>')).toBe('<b>Shop</b>')
  })

  it('comes with a picture only over TLS or from this machine', () => {
    expect(shownPicture('https://shop.example/logo.png')).toBe('https://shop.example/logo.png')
    expect(shownPicture('http://localhost:4000/logo.png')).toBe('http://localhost:4000/logo.png')
    for (const address of ['http://shop.example/logo.png', 'javascript:alert(1)', 'data:image/svg+xml,x', '', '/logo.png']) expect(shownPicture(address)).toBeUndefined()
  })
})
