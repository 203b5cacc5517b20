import type { ProjectClient } from './client.ts'
import { toAppError } from './unwrap.ts'
import { AppError } from './app-error.ts'

/** What the project lets people do at its door, as far as it tells. */
export interface AuthSettings {
  /** Sign-in and sign-up by e-mail. */
  email: boolean
  signUp: boolean
  /** New addresses count as confirmed at once. */
  autoconfirm: boolean
  /** Names as the auth service spells them: `google`, `linkedin_oidc`. */
  providers: readonly string[]
  /** Sign-in and sign-up by a code sent to a phone. */
  phone: boolean
  /** Who sends it: `twilio`, `twilio_verify`, …; empty when it is not told. Only the first two can use WhatsApp. */
  smsProvider: string
  guests: boolean
  /** Organisations sign their people in, found by the domain of the address. */
  sso: boolean
  passkeys: boolean
}

/** Switches in `external` that are no provider to be sent to. */
const noProviders = new Set(['email', 'phone', 'anonymous_users'])

/** Reads the answer of `/auth/v1/settings`; what an older server leaves out counts as off, except e-mail. */
export function parseAuthSettings(value: unknown): AuthSettings {
  const settings = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const external = typeof settings['external'] === 'object' && settings['external'] !== null ? (settings['external'] as Record<string, unknown>) : {}
  return {
    email: external['email'] !== false,
    signUp: settings['disable_signup'] !== true,
    autoconfirm: settings['mailer_autoconfirm'] === true,
    providers: Object.keys(external).filter((name) => external[name] === true && !noProviders.has(name)),
    phone: external['phone'] === true,
    smsProvider: typeof settings['sms_provider'] === 'string' ? settings['sms_provider'] : '',
    guests: external['anonymous_users'] === true,
    sso: settings['saml_enabled'] === true,
    passkeys: settings['passkeys_enabled'] === true,
  }
}

/** Reads what an earlier visit has kept, as `JSON.stringify` wrote it; undefined when it is of another shape. */
export function parseKeptSettings(text: string | null): AuthSettings | undefined {
  try {
    const kept = JSON.parse(text ?? '{}') as Partial<AuthSettings>
    const usual: AuthSettings = parseAuthSettings({})
    const isAlike = Object.entries(usual).every(([name, value]) => typeof kept[name as keyof AuthSettings] === typeof value)
    return isAlike && Array.isArray(kept.providers) ? (kept as AuthSettings) : undefined
  } catch {
    return undefined
  }
}

/** @throws AppError when the project does not answer, or not like one. */
export async function readAuthSettings({ project, fetch }: ProjectClient): Promise<AuthSettings> {
  let response: Response
  try {
    response = await fetch(`${project.url}/auth/v1/settings`, { headers: { apikey: project.key } })
  } catch (error) {
    throw toAppError(error)
  }
  if (!response.ok) throw toAppError({ message: await response.text() }, response.status)
  try {
    return parseAuthSettings(await response.json())
  } catch (cause) {
    throw new AppError('broken', 'The answer is not that of an auth service', { cause, status: response.status })
  }
}
