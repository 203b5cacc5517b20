import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { authSettings } from './service-settings.ts'

const here = { origin: 'http://127.0.0.1:54321', boundHost: '127.0.0.1' }

describe('rate limits', () => {
  const countsLoopback = (env: Record<string, string>, place = here, configToml = '') =>
    authSettings(readConfig({ env, configToml }).config, place).rateLimits.countLoopback

  test('leave the tabs and tests of one machine alone', () => {
    expect(countsLoopback({})).toBe(false)
    expect(countsLoopback({ PORTICO_ALLOWED_HOSTS: 'app.localhost' }, { origin: 'http://localhost:54321', boundHost: '::1' })).toBe(false)
  })

  test('count what comes from this machine as soon as a proxy on it may speak for others', () => {
    expect(countsLoopback({}, { origin: 'http://127.0.0.1:54321', boundHost: '0.0.0.0' })).toBe(true)
    expect(countsLoopback({}, { ...here, origin: 'https://api.example.com' })).toBe(true)
    expect(countsLoopback({}, here, '[api]\nexternal_url = "https://api.example.com"')).toBe(true)
    expect(countsLoopback({ PORTICO_ALLOWED_HOSTS: 'tunnel.example.com' })).toBe(true)
    expect(countsLoopback({ PORTICO_TRUSTED_PROXIES: '127.0.0.1' })).toBe(true)
  })
})
