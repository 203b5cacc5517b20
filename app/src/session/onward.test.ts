import { describe, expect, it } from 'vitest'
import { judgeOnward } from './onward.ts'
import { readReturn } from './read-return.ts'

const origin = 'https://portal.example.com'
const rules = ['https://app.example.com/**', 'https://*.apps.example.com/account/**', 'https://one.example.com/back', 'http://localhost:3000/**', 'https://part.example.com/*/done']
const judge = (target: string | null) => judgeOnward(target, rules, origin)

describe('a person who signed in', () => {
  it.each([
    ['https://app.example.com/', 'https://app.example.com/'],
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://app.example.com/a/b?c=d#e', 'https://app.example.com/a/b?c=d#e'],
    ['HTTPS://APP.example.com/x', 'https://app.example.com/x'],
    ['https://app.example.com:443/x', 'https://app.example.com/x'],
    ['https://app.example.com/?next=https://evil.example', 'https://app.example.com/?next=https://evil.example'],
    ['https://shop.apps.example.com/account/orders', 'https://shop.apps.example.com/account/orders'],
    ['https://shop.apps.example.com/account', 'https://shop.apps.example.com/account'],
    ['https://one.example.com/back?x=1', 'https://one.example.com/back?x=1'],
    ['http://localhost:3000/x', 'http://localhost:3000/x'],
    ['https://part.example.com/any/done', 'https://part.example.com/any/done'],
  ])('is taken to %s', (target, address) => {
    expect(judge(target)).toEqual({ kind: 'sibling', address, host: new URL(address).host })
  })

  it.each([
    'https://evil.example/',
    'https://app.example.com.evil.example/',
    'https://evil.example/https://app.example.com/',
    'https://evil.example#https://app.example.com/',
    'https://evil.example?https://app.example.com/',
    'https://app.example.com@evil.example/',
    'https://app.example.com:x@evil.example/',
    'https://user@app.example.com/',
    'https://app.example.com:444/',
    'http://app.example.com/',
    'https://xapp.example.com/',
    'https://app.example.com./',
    'https://app.example.com\\@evil.example/',
    'https:\\\\evil.example/',
    'https:/evil.example/',
    'https:evil.example',
    'https:///evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example\t/.app.example.com',
    ' https://app.example.com/',
    'https://app.example.com/\n',
    'https://app.example.com/\u0000',
    'https://app%2eexample%2ecom.evil.example/',
    'https://apps.example.com/account/x',
    'https://.apps.example.com/account/x',
    'https://a.b.apps.example.com/account/x',
    'https://evil.example/.apps.example.com/account/x',
    'https://shop.apps.example.com/accounts',
    'https://shop.apps.example.com/account/../admin',
    'https://shop.apps.example.com/account/%2e%2e/admin',
    'https://shop.apps.example.com/account/..%2fadmin',
    'https://shop.apps.example.com/account/%5c..%5cadmin',
    'https://one.example.com/back/',
    'https://one.example.com/back/more',
    'https://part.example.com//done',
    'https://part.example.com/a/b/done',
    'http://localhost/x',
    'http://127.0.0.1:3000/x',
    'http://2130706433:3000/x',
    'https://аpp.example.com/',
    'javascript:alert(1)',
    'javascript://app.example.com/%0aalert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'blob:https://app.example.com/x',
    'view-source:https://app.example.com/',
    'ftp://app.example.com/',
    'app.example.com',
    `https://app.example.com/${'x'.repeat(2000)}`,
  ])('is not taken to %j', (target) => {
    expect(judge(target).kind).toBe('refused')
  })

  it('stays here for an address of this app, whoever wrote it, and for none', () => {
    expect(judge('https://portal.example.com/data/public/tickets?x=1')).toEqual({ kind: 'here', path: '/data/public/tickets?x=1' })
    expect(judge('/data/public/tickets')).toEqual({ kind: 'here', path: '/data/public/tickets' })
    expect(judge('https://portal.example.com//evil.example')).toEqual({ kind: 'here', path: '/' })
    expect(judge(null)).toEqual({ kind: 'here', path: '/' })
    expect(judgeOnward('https://app.example.com/', [], origin).kind).toBe('refused')
  })

  it('carries where they came from through the door as a path of this app', () => {
    const of = (query: string) => readReturn(new URLSearchParams(query))
    expect(of('redirect_to=https%3A%2F%2Fapp.example.com%2Fx%3Fy%3D1')).toBe('/onward?to=https%3A%2F%2Fapp.example.com%2Fx%3Fy%3D1')
    expect(of('redirect_to=javascript%3Aalert(1)')).toMatch(/^\/onward\?to=javascript/)
    expect(of('to=%2Fdata&redirect_to=')).toBe('/data')
    expect(of('to=%2F%2Fevil.example')).toBe('/')
  })
})
