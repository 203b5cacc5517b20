import { describe, expect, it } from 'vitest'
import { sessionCookieName } from '#project.ts'
import { brandText } from './brand.ts'
import { loadConfig, readConfig } from './config.ts'
import { readBrand } from './read-brand.ts'
import { usualDoor } from './door.ts'
import { readDoor } from './read-door.ts'
import { readRedirects } from './read-redirects.ts'

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

  it('lists the functions of a project, or those of all', () => {
    const hours = { name: 'office-hours', title: 'Office hours', method: 'GET' }
    const project = (host: string, functions?: unknown) => ({ url: `https://${host}.example.com`, key: 'sb_publishable_x', ...(functions !== undefined && { functions }) })
    const { config, faults } = readConfig(JSON.stringify({ functions: [hours], projects: [project('a'), project('b', [{ name: 'own' }]), project('c', [])] }), portal)
    expect(faults).toEqual([])
    expect(config.projects.map(({ functions }) => functions)).toEqual([[hours], [{ name: 'own' }], undefined])
  })

  it('lets an operator keep people from seeing each other, everywhere or in one project', () => {
    const project = (host: string, presence?: unknown) => ({ url: `https://${host}.example.com`, key: 'sb_publishable_x', ...(presence !== undefined && { presence }) })
    const read = (value: unknown) => readConfig(JSON.stringify(value), portal)
    expect(read({ projects: [project('a'), project('b', false)] }).config.projects.map(({ presence }) => presence)).toEqual([undefined, false])
    expect(read({ presence: false, projects: [project('a'), project('b', true)] }).config.projects.map(({ presence }) => presence)).toEqual([false, undefined])
    expect(read({ avatars: 'portraits', projects: [project('a'), { ...project('b'), avatars: false }] }).config.projects.map(({ avatars }) => avatars)).toEqual(['portraits', false])
    expect(read({ avatars: 7, projects: [{ ...project('a'), avatars: '' }] }).faults).toEqual([{ at: 'projects[0].avatars', code: 'avatars' }, { at: 'avatars', code: 'avatars' }])
    expect(read({ presence: 'no', projects: [project('a', 0)] }).faults).toEqual([{ at: 'projects[0].presence', code: 'presence' }, { at: 'presence', code: 'presence' }])
  })

  it('has every fault of its functions named, secrets in a public file among them', () => {
    const functions = [{ name: '../x' }, { name: 'a', title: 1, method: 'BREW' }, { name: 'a' }, { name: 'b', headers: { Authorization: 'Bearer x', 'bad name': 'y' } }, { name: 'c', headers: [] }, null]
    expect(readConfig(JSON.stringify({ functions }), portal).faults).toEqual([
      { at: 'functions[0].name', code: 'function-name' },
      { at: 'functions[1].title', code: 'function-field' },
      { at: 'functions[1].method', code: 'function-field' },
      { at: 'functions[2].name', code: 'function-name' },
      { at: 'functions[3].headers.Authorization', code: 'function-secret' },
      { at: 'functions[3].headers.bad name', code: 'function-field' },
      { at: 'functions[4].headers', code: 'function-field' },
      { at: 'functions[5].name', code: 'function-name' },
    ])
    expect(readConfig('{"functions":{}}', portal).faults).toEqual([{ at: 'functions', code: 'functions' }])
  })

  it('gives the app an operator\'s look, for all projects or for one', () => {
    const project = (host: string, brand?: unknown) => ({ url: `https://${host}.example.com`, key: 'sb_publishable_x', ...(brand !== undefined && { brand }) })
    const shared = { logo: '/brand/logo.svg', accent: '#0F766E', texts: { signInTitle: { de: 'Guten Tag', en: 'Hello' } }, links: { help: 'mailto:help@example.com', terms: 'https://example.com/terms' } }
    const { config, faults } = readConfig(JSON.stringify({ brand: shared, projects: [project('a'), project('b', { logoOnly: true })] }), portal, { readBrand, readDoor, readRedirects })
    expect(faults).toEqual([])
    expect(config.projects.map(({ brand }) => brand)).toEqual([shared, { logoOnly: true, texts: {}, links: {} }])
    expect(['de', 'en', 'fr'].map((language) => brandText(config.projects[0]?.brand, 'signInTitle', language))).toEqual(['Guten Tag', 'Hello', 'Hello'])
    expect(brandText(config.projects[1]?.brand, 'signInTitle', 'de')).toBeUndefined()
  })

  it('has every fault of a brand named, addresses that would run or track among them', () => {
    const brand = { logo: 'javascript:alert(1)', logoDark: '//evil.example/x.png', icon: 'http://a.example/i.png', accent: 'red', logoOnly: 'yes', colour: '#fff', texts: { signInTitle: '', hello: 'x' }, links: { terms: 'data:text/html,x', blog: '/blog' } }
    expect(readConfig(JSON.stringify({ brand }), portal, { readBrand, readDoor, readRedirects }).faults).toEqual([
      { at: 'brand.logo', code: 'brand-image' },
      { at: 'brand.logoDark', code: 'brand-image' },
      { at: 'brand.icon', code: 'brand-image' },
      { at: 'brand.accent', code: 'brand-accent' },
      { at: 'brand.logoOnly', code: 'brand' },
      { at: 'brand.colour', code: 'brand' },
      { at: 'brand.texts.signInTitle', code: 'brand-text' },
      { at: 'brand.texts.hello', code: 'brand-text' },
      { at: 'brand.links.terms', code: 'brand-link' },
      { at: 'brand.links.blog', code: 'brand-link' },
    ])
    expect(readConfig('{"brand":[]}', portal, { readBrand, readDoor, readRedirects }).faults).toEqual([{ at: 'brand', code: 'brand' }])
  })

  it('says how people come in: beside the projects for each, unless one says so itself', () => {
    const project = (host: string, door?: unknown) => ({ url: `https://${host}.example.com`, key: 'sb_publishable_x', ...(door !== undefined && { door }) })
    const shared = {
      identifierFirst: false,
      rememberMe: true,
      nudge: false,
      guests: true,
      providers: [{ id: 'custom:acme', name: 'Acme', icon: '/acme.svg' }],
      wallets: ['ethereum'],
      captcha: { provider: 'turnstile', siteKey: '1x00000000000000000000AA' },
      password: { minLength: 10, classes: ['letters', 'digits'] },
      secondFactor: { kinds: ['totp'], required: true },
      signUp: { agree: true, closedText: { en: 'Ask us', de: 'Fragen Sie uns' }, closedContact: 'mailto:us@example.com', fields: [{ key: 'company', label: 'Company', kind: 'text', required: true }, { key: 'size', label: 'Size', kind: 'choice', choices: ['1–10', 'more'], required: false }] },
    }
    const { config, faults } = readConfig(JSON.stringify({ door: shared, projects: [project('a'), project('b', { sso: true })] }), portal, { readBrand, readDoor, readRedirects })
    expect(faults).toEqual([])
    expect(config.projects.map(({ door }) => door)).toEqual([shared, { ...usualDoor, sso: true }])
  })

  it('has every fault of the door named, and nothing that would run is kept', () => {
    const door = {
      identifierFirst: 'yes',
      colour: 1,
      providers: [{ id: 'x', name: 'X' }, { id: 'x', name: 'X again' }, { id: 'a b', name: 'A' }, { id: 'c', name: 'C', icon: 'javascript:alert(1)' }, { id: 'd' }],
      wallets: ['ethereum', 'bitcoin'],
      captcha: { provider: 'mine', siteKey: '"><script>', script: 'http://evil.example/x.js' },
      password: { minLength: 0, classes: ['kanji'] },
      secondFactor: { kinds: ['fax'], required: 1 },
      signUp: { agree: 'ok', closedText: '', closedContact: 'javascript:alert(1)', fields: [{ key: '__proto__ x', label: 'A' }, { key: 'b', label: '' }, { key: 'c', label: 'C', kind: 'colour' }, { key: 'd', label: 'D', kind: 'choice' }, 'text'] },
    }
    const { faults } = readConfig(JSON.stringify({ door }), portal, { readBrand, readDoor, readRedirects })
    expect(faults.map(({ at, code }) => `${at} ${code}`).sort()).toEqual([
      'door.captcha.provider door-captcha',
      'door.captcha.script door-captcha',
      'door.captcha.siteKey door-captcha',
      'door.colour door',
      'door.identifierFirst door-switch',
      'door.password.classes door-list',
      'door.password.minLength door-password',
      'door.providers[1].id door-provider',
      'door.providers[2].id door-provider',
      'door.providers[3].icon door-provider',
      'door.providers[4] door-provider',
      'door.secondFactor.kinds door-list',
      'door.secondFactor.required door-switch',
      'door.signUp.agree door-switch',
      'door.signUp.closedContact door-link',
      'door.signUp.closedText door-text',
      'door.signUp.fields[0].key door-field',
      'door.signUp.fields[1].label door-text',
      'door.signUp.fields[2].kind door-field',
      'door.signUp.fields[3].choices door-field',
      'door.signUp.fields[4] door-field',
      'door.wallets door-list',
    ])
    expect(readConfig('{"door":true}', portal, { readBrand, readDoor, readRedirects }).faults).toEqual([{ at: 'door', code: 'door' }])
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

  it('lists the sibling apps that people may be sent on to, for every project', () => {
    const readers = { readBrand, readDoor, readRedirects }
    const redirects = ['https://app.example.com/**', 'https://*.example.com/account', 'http://localhost:3000/back/*']
    const { config, faults } = readConfig(JSON.stringify({ redirects, projects: [{ url: '/', key: 'sb_publishable_x' }] }), page, readers)
    expect(faults).toEqual([])
    expect(config.projects[0]?.redirects).toEqual(redirects)
  })

  it.each(['*', '**', 'https://**', 'https://*', 'https://*.com/**', 'https://*:443/**', 'https://*.*.example.com/**', 'https://app.*.com/**', 'https://a*.example.com/**', 'app.example.com', '//app.example.com', 'https://user@app.example.com/**', 'https://app.example.com/**/more', 'https://app.example.com/a*', 'javascript://x/**', 'https://app.example.com/?x', 'https://app.example.com/#x', '', 7, null])(
    'takes %j for no address to send people on to',
    (rule) => {
      expect(readRedirects(['https://app.example.com/**', rule], 'redirects')).toEqual({ redirects: ['https://app.example.com/**'], faults: [{ at: 'redirects[1]', code: 'redirect-rule' }] })
    },
  )

  it('takes nothing but a list of them', () => {
    expect(readRedirects('https://app.example.com/**', 'redirects').faults).toEqual([{ at: 'redirects', code: 'redirects' }])
  })
})
