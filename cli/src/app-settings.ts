import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '@portico/backend'
import { CommandError } from './command-error.ts'

/** What an operator writes about the app beside a project: everything of `portico.json` but its projects. The app itself judges it. */
export type AppSettings = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/**
 * Reads a file of settings.
 *
 * @param path without one, nothing is set; `isOptional` files may be missing as well.
 * @throws CommandError when it cannot be read, is no JSON object, or names projects, which the command line does.
 */
export function readAppSettings(path: string | undefined, isOptional = false): AppSettings {
  if (path === undefined) return {}
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if (isOptional && (cause as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new CommandError(`The settings at ${path} cannot be read.`, { cause })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new CommandError(`${path} is not valid JSON: ${(cause as Error).message}.`, { cause })
  }
  if (!isRecord(value)) throw new CommandError(`${path} must hold one object, such as { "door": { "rememberMe": true } }.`)
  if (value['projects'] !== undefined) throw new CommandError(`${path} names projects. Here the command says which project the app is for: take "projects" out.`)
  return value
}

/** Where a project folder keeps its settings, if it has any. */
export const settingsFileOf = (projectRoot: string): string => join(projectRoot, 'portico.json')

/** Where the images of a brand lie: beside the file that names them. */
export const brandFolderOf = (settingsFile: string): string => join(dirname(settingsFile), 'brand')

const classesOf: Readonly<Record<Config['auth']['password']['requirements'], readonly string[]>> = {
  '': [],
  letters_digits: ['letters', 'digits'],
  lower_upper_letters_digits: ['lower', 'upper', 'digits'],
  lower_upper_letters_digits_symbols: ['lower', 'upper', 'digits', 'symbols'],
}

/** What `config.toml` says of the door and the project's public settings do not; the operator's own words go before it. */
export function withKnownDoor(settings: AppSettings, { password, mfa, web3 }: Pick<Config['auth'], 'password' | 'mfa' | 'web3'>): AppSettings {
  if (settings['door'] !== undefined && !isRecord(settings['door'])) return settings
  const own = recordOf(settings['door'])
  const kinds = (['totp', 'phone', 'webauthn'] as const).filter((kind) => mfa[kind].enroll)
  const chains = (['ethereum', 'solana'] as const).filter((chain) => web3[chain])
  const known = {
    password: { minLength: password.minLength, classes: classesOf[password.requirements], ...recordOf(own['password']) },
    secondFactor: { kinds, ...recordOf(own['secondFactor']) },
    ...(chains.length > 0 && { wallets: chains }),
  }
  return { ...settings, door: { ...known, ...own, password: known.password, secondFactor: known.secondFactor } }
}

const captchaOrigins: Readonly<Record<string, readonly string[]>> = {
  hcaptcha: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  turnstile: ['https://challenges.cloudflare.com'],
}

/** The origins that a configured captcha runs from; no other foreign script is ever let in. */
export function captchaSources(settings: AppSettings): readonly string[] {
  const { provider, script } = recordOf(recordOf(settings['door'])['captcha'])
  const known = typeof provider === 'string' && Object.hasOwn(captchaOrigins, provider) ? (captchaOrigins[provider] ?? []) : []
  const isForeign = known.length > 0 && typeof script === 'string' && /^https?:\/\//.test(script) && URL.canParse(script)
  return isForeign ? [new URL(script).origin] : known
}
