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
