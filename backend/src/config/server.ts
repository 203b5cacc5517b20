import { z } from 'zod'
import type { Environment } from './environment.ts'
import { flag, port, texts } from './scalars.ts'

const schema = z
  .object({
    PORTICO_HOST: z.string().optional(),
    PORTICO_PORT: port.optional(),
    PORTICO_MAILBOX_PORT: port.optional(),
    PORTICO_ALLOWED_HOSTS: texts.default([]),
    PORTICO_TRUSTED_PROXIES: texts.default([]),
    PORTICO_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    PORTICO_DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://').optional(),
    PORTICO_DURABLE: flag.default(true),
  })
  .transform((env) => ({
    /** Undefined: loopback. */
    host: env.PORTICO_HOST,
    /** Undefined: 54321 or the next free one. */
    port: env.PORTICO_PORT,
    mailboxPort: env.PORTICO_MAILBOX_PORT,
    /** Host names that are answered besides loopback's own. */
    allowedHosts: env.PORTICO_ALLOWED_HOSTS,
    /** Addresses whose `X-Forwarded-*` headers are believed. */
    trustedProxies: env.PORTICO_TRUSTED_PROXIES,
    /** What clients call the box when a proxy stands before it: `https://api.example.com`. */
    publicUrl: env.PORTICO_PUBLIC_URL?.replace(/\/+$/, ''),
    databaseUrl: env.PORTICO_DATABASE_URL,
    /** Every commit reaches the disk before it is acknowledged. Off, it is faster, and a power cut may cost the last moments. */
    durable: env.PORTICO_DURABLE,
  }))

export type ServerConfig = z.output<typeof schema>

/** Reads the box's own settings. Faults are added to `faults`, by the variable's name and without its value. */
export function readServer(env: Environment, faults: string[]): ServerConfig {
  const parsed = schema.safeParse(env)
  if (parsed.success) return parsed.data
  faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  return schema.parse({})
}
