import { createHmac } from 'node:crypto'

const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs a payload with HS256, for the older JWT keys. Access tokens are the auth service's own business. */
export function signHs256(secret: string, payload: Readonly<Record<string, unknown>>): string {
  const body = `${segment({ alg: 'HS256', typ: 'JWT' })}.${segment(payload)}`
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}
