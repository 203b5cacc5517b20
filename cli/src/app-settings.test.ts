import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { captchaSources, readAppSettings, withKnownDoor } from './app-settings.ts'
import { contentSecurityPolicy } from './security-headers.ts'

let folder = ''
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'portico-settings-'))))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (text: string) => {
  const path = join(folder, 'portico.json')
  writeFileSync(path, text)
  return path
}
const factor = (enroll: boolean) => ({ enroll, verify: enroll })
const auth = {
  password: { minLength: 10, requirements: 'letters_digits' },
  mfa: { totp: factor(true), phone: factor(false), webauthn: factor(true) },
  web3: { solana: true, ethereum: false },
} as Parameters<typeof withKnownDoor>[1]

describe('the settings beside a project', () => {
  test('may be missing in the project folder, not where they are named', () => {
    expect(readAppSettings(undefined)).toEqual({})
    expect(readAppSettings(join(folder, 'none.json'), true)).toEqual({})
    expect(() => readAppSettings(join(folder, 'none.json'))).toThrow(/cannot be read/)
  })

  test('are refused in a sentence where they are no object, or name projects', () => {
    expect(readAppSettings(file('{"presence":false}'))).toEqual({ presence: false })
    expect(() => readAppSettings(file('{'))).toThrow(/not valid JSON/)
    expect(() => readAppSettings(file('[]'))).toThrow(/one object/)
    expect(() => readAppSettings(file('{"projects":[]}'))).toThrow(/take "projects" out/)
  })

  test('get what config.toml knows of the door, and what the operator says stays', () => {
    expect(withKnownDoor({}, auth)).toEqual({ door: { password: { minLength: 10, classes: ['letters', 'digits'] }, secondFactor: { kinds: ['totp', 'webauthn'] }, wallets: ['solana'] } })
    const own = { brand: { accent: '#123456' }, door: { wallets: [], password: { minLength: 14 }, secondFactor: { required: true }, rememberMe: true } }
    expect(withKnownDoor(own, auth)).toEqual({
      brand: own.brand,
      door: { wallets: [], password: { minLength: 14, classes: ['letters', 'digits'] }, secondFactor: { kinds: ['totp', 'webauthn'], required: true }, rememberMe: true },
    })
    expect(withKnownDoor({ door: 'open' }, auth)).toEqual({ door: 'open' })
  })
})

describe('the page\'s policy', () => {
  test('lets in the one captcha that is set up, and nothing without one', () => {
    const of = (captcha: unknown) => contentSecurityPolicy([], captchaSources({ door: { captcha } }))
    expect(of({ provider: 'turnstile', siteKey: 'x' })).toContain("script-src 'self' https://challenges.cloudflare.com;")
    expect(of({ provider: 'hcaptcha', siteKey: 'x' })).toContain('frame-src blob: https://hcaptcha.com https://*.hcaptcha.com')
    expect(of({ provider: 'hcaptcha', siteKey: 'x', script: 'http://127.0.0.1:9000/api.js' })).toContain("script-src 'self' http://127.0.0.1:9000;")
    for (const captcha of [undefined, {}, { provider: 'toString' }, { provider: 'mine', script: 'https://evil.example/x.js' }, { provider: 'turnstile', script: '/own.js' }]) {
      expect(of(captcha)).not.toContain('evil')
    }
    expect(of(undefined)).toContain("script-src 'self';")
    expect(of({ provider: 'mine', script: 'https://evil.example/x.js' })).toContain("script-src 'self';")
  })

  test('is not widened by an address with a policy of its own in it', () => {
    expect(contentSecurityPolicy([], captchaSources({ door: { captcha: { provider: 'hcaptcha', script: "https://a.example/x;script-src *" } } }))).toContain("script-src 'self' https://a.example;")
  })
})
