import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** 256 bits; shown once, at registration. */
export const makeClientSecret = (): string => randomBytes(32).toString('base64url')

/** What is kept of a secret. @see supabase/auth internal/api/oauthserver/service.go, `hashClientSecret` */
export const hashClientSecret = (secret: string): string => digest(secret).toString('base64url')

/** Compares without telling by time where the two differ. */
export function isClientSecret(given: string, hash: string): boolean {
  const kept = Buffer.from(hash, 'base64url')
  const made = digest(given)
  return kept.byteLength === made.byteLength && timingSafeEqual(made, kept)
}
