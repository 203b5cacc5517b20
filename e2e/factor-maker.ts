import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { box, page, window } from './stage.ts'

export const password = 'four plain words here'
let count = 0

export interface Person {
  email: string
  password: string
}

/** A person of the project, confirmed, with a password. */
export async function addPerson(): Promise<Person> {
  const email = `factor-${Date.now()}-${(count += 1)}@mail.example`
  await ask('/admin/users', { body: { email, password, email_confirm: true }, key: box.status.SECRET_KEY })
  return { email, password }
}

interface Question {
  body?: unknown
  key?: string
  token?: string
}

/** One call of the auth API, as another device would make it. */
export async function ask<T>(path: string, { body = {}, key = box.status.PUBLISHABLE_KEY, token }: Question): Promise<T> {
  const headers = { apikey: key, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${box.status.API_URL}/auth/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  expect([path, answer.status < 300, answer.ok ? '' : text]).toEqual([path, true, ''])
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** The person signed in on another device: its access token. */
export const elsewhere = async ({ email, password }: Person): Promise<string> => (await ask<{ access_token: string }>('/token?grant_type=password', { body: { email, password } })).access_token

/** What an authenticator app shows for a key: RFC 6238, SHA-1, six digits, thirty seconds. */
export function codeOf(secret: string, steps = 0): string {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest[19] ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/**
 * Adds an authenticator app on another device. Each code counts once: that of the step before is spent on it, so that
 * `codeOf(secret)` and `codeOf(secret, 1)` are left.
 */
export async function addTotp(person: Person, name = 'Authenticator app'): Promise<{ secret: string; token: string }> {
  const token = await elsewhere(person)
  const factor = await ask<{ id: string; totp: { secret: string } }>('/factors', { token, body: { factor_type: 'totp', friendly_name: name } })
  const { id } = await ask<{ id: string }>(`/factors/${factor.id}/challenge`, { token })
  // Of the step before the last one nothing is taken: a code made at the very end of a step waits for the next.
  const leftMs = 30_000 - (Date.now() % 30_000)
  if (leftMs < 5000) await new Promise((resolve) => setTimeout(resolve, leftMs))
  const raised = await ask<{ access_token: string }>(`/factors/${factor.id}/verify`, { token, body: { challenge_id: id, code: codeOf(factor.totp.secret, -1) } })
  return { secret: factor.totp.secret, token: raised.access_token }
}

/** A key of the browser's own, as DevTools makes them. */
export async function plugIn(transport: 'usb' | 'internal') {
  const devTools = await window.newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport, hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  })
  return {
    verified: (isUserVerified: boolean) => devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    present: (enabled: boolean) => devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    unplug: () => devTools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}
