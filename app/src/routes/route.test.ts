import { describe, expect, it } from 'vitest'
import { matchRoute, type Route } from './route.ts'

const route = (path: string): Route => ({ path, frame: 'inside', load: () => Promise.reject(new Error('not loaded here')) })
const routes = ['/', '/data/:schema/:relation/new', '/data/:schema/:relation/:key', '/data/:schema/:relation'].map(route)

describe('the route of an address', () => {
  it.each([
    ['/', '/', {}],
    ['/data/public/tickets', '/data/:schema/:relation', { schema: 'public', relation: 'tickets' }],
    ['/data/public/tickets/', '/data/:schema/:relation', { schema: 'public', relation: 'tickets' }],
    ['/data/public/tickets/new', '/data/:schema/:relation/new', { schema: 'public', relation: 'tickets' }],
    ['/data/public/tickets/a%2Cb,c', '/data/:schema/:relation/:key', { schema: 'public', relation: 'tickets', key: 'a%2Cb,c' }],
  ])('of %s is %s', (pathname, path, params) => {
    expect(matchRoute(routes, pathname)).toMatchObject({ route: { path }, params })
  })

  it('is none where nothing fits', () => {
    expect(matchRoute(routes, '/data')).toBeUndefined()
  })
})
