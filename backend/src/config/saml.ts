import { createPrivateKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Environment } from './environment.ts'
import { sayIssue } from './fault-words.ts'
import { flag } from './scalars.ts'

const schema = z.object({
  GOTRUE_SAML_ENABLED: flag.default(false),
  GOTRUE_SAML_PRIVATE_KEY: z.string().default(''),
  GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS: flag.default(false),
  GOTRUE_SAML_EXTERNAL_URL: z.url({ protocol: /^https?$/ }).optional(),
})

/** Sign-in by SAML, which `config.toml` has no section for; the names are the hosted auth server's own. */
export interface SamlConfig {
  /** Undefined: SAML is off. */
  privateKey?: KeyObject
  /** Whether assertions may come encrypted for the key. */
  allowsEncryption?: boolean
  /** Where identity providers reach the auth API, when not at its own address. */
  externalUrl?: string
}

const keyFault = 'GOTRUE_SAML_PRIVATE_KEY: must be an RSA key of 2048 bits or more in PKCS#1 form, as base64: openssl genrsa -traditional 2048 | openssl rsa -traditional -outform DER | base64 -w0'

function readKey(base64: string): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs1' })
    return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 ? key : undefined
  } catch {
    return undefined
  }
}

/** Faults are added to `faults`, without the key. @see supabase/auth internal/conf/saml.go */
export function readSaml(env: Environment, faults: string[]): SamlConfig {
  const parsed = schema.safeParse(env, { error: sayIssue })
  if (!parsed.success) {
    faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
    return {}
  }
  const { GOTRUE_SAML_ENABLED: isOn, GOTRUE_SAML_PRIVATE_KEY: key, GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS: allowsEncryption, GOTRUE_SAML_EXTERNAL_URL: url } = parsed.data
  if (!isOn) return {}
  const privateKey = readKey(key)
  if (!privateKey) faults.push(keyFault)
  return { allowsEncryption, ...(privateKey ? { privateKey } : {}), ...(url === undefined ? {} : { externalUrl: url.replace(/\/+$/, '') }) }
}
