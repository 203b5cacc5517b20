import { describe, expect, it } from 'vitest'
import { sessionCookieName } from '#project.ts'
import { loadConfig, readConfig } from './config.ts'

const page = { origin: 'http://127.0.0.1:54321', hostname: '127.0.0.1' }
const portal = { origin: 'https://portal.example.com', hostname: 'portal.example.com' }

describe('portico.json', () => {
  it('names the project at the origin the page came from', () => {
    const { config, faults } = readConfig('{"projects":[{"name":"Helpdesk","url":"/","key":"sb_publishable_x"}]}', page)
    expect(config.projects).toEqual([{ id: 'http-127-0-0-1-54321', name: 'Helpdesk', url: 'http://127.0.0.1:54321', key: 'sb_publishable_x' }])
    expect(faults).toEqual([])
  })

  it('has every fault named at once, with its place', () => {
    const text = JSON.stringify({
      projects: [{ url: 'nowhere', key: '' }, { url: 'https://a.example.com', key: 'sb_secret_x' }],
      cookies: { name: 'a b', domain: 'elsewhere.org' },
    })
    expect(readConfig(text, portal).faults).toEqual([
      { at: 'projects[0].url', code: 'url-malformed' },
      { at: 'projects[0].key', code: 'key-missing' },
      { at: 'projects[1].key', code: 'key-secret' },
      { at: 'cookies.name', code: 'cookie-name-place' },
      { at: 'cookies.domain', code: 'cookie-domain' },
    ])
  })

  it('may share its cookies with a parent domain', () => {
    expect(readConfig('{"cookies":{"domain":".example.com"}}', portal)).toEqual({
      config: { projects: [], cookies: { domain: 'example.com' } },
      faults: [],
    })
  })

  it('gives each project a session cookie of its own, and refuses one name for two', () => {
    const project = (host: string, cookieName?: string) => ({ url: `https://${host}.example.com`, key: 'sb_publishable_x', ...(cookieName && { cookieName }) })
    const read = (...projects: object[]) => readConfig(JSON.stringify({ projects }), portal)
    const apart = read(project('a', 'sb-a-auth-token'), project('b'))
    expect(apart.faults).toEqual([])
    expect(apart.config.projects.map(sessionCookieName)).toEqual(['sb-a-auth-token', 'sb-https-b-example-com-auth-token'])
    const taken = (index: number) => ({ at: `projects[${index}].cookieName`, code: 'cookie-name-taken' })
    expect(read(project('a', 'sb-shared'), project('b', 'sb-shared')).faults).toEqual([taken(0), taken(1)])
    expect(read(project('a', 'sb-https-b-example-com-auth-token.0'), project('b')).faults).toEqual([taken(0)])
    expect(read(project('a', 'a b')).faults).toEqual([{ at: 'projects[0].cookieName', code: 'cookie-name' }])
  })

  it('is named as unreadable when it is no JSON', () => {
    expect(readConfig('{', page).faults).toEqual([{ at: '', code: 'config-unreadable' }])
  })

  it('may be missing: projects are then added by hand', async () => {
    const asPage = () => Promise.resolve(new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }))
    expect((await loadConfig(page, asPage)).faults).toEqual([])
    expect((await loadConfig(page, () => Promise.resolve(new Response('', { status: 404 })))).faults).toEqual([])
  })

  it('that cannot be fetched is no missing one', async () => {
    const unreachable = [{ at: '', code: 'config-unreachable' }]
    expect((await loadConfig(page, () => Promise.reject(new TypeError('no network')))).faults).toEqual(unreachable)
    expect((await loadConfig(page, () => Promise.resolve(new Response('', { status: 502 })))).faults).toEqual(unreachable)
  })
})
