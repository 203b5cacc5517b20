import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from './version.ts'

export interface SignIn {
  label: string
  email: string
  password: string
}

const isSignIn = (value: unknown): value is SignIn =>
  typeof value === 'object' && value !== null && ['label', 'email', 'password'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string')

/** Reads the sign-ins an example tells of, from `sign-ins.json` beside its `supabase` folder. None when there is no such file. */
export function readSignIns(projectRoot: string): readonly SignIn[] {
  try {
    const value: unknown = JSON.parse(readFileSync(join(projectRoot, 'sign-ins.json'), 'utf8'))
    return Array.isArray(value) ? value.filter(isSignIn) : []
  } catch {
    return []
  }
}

export interface BannerFacts {
  name: string
  appUrl: string
  mailboxUrl?: string
  phoneUrl?: string
  /** Where the local identity provider is. */
  identityUrl?: string
  publishableKey?: string
  secretKey?: string
  signIns?: readonly SignIn[]
  /** Where the data is kept, as a person would say it. */
  data?: string
  /** Sentences that must be read. */
  notes?: readonly string[]
}

const row = (label: string, text: string): string => `  ${label.padEnd(13)}${text}`

function signInRows(signIns: readonly SignIn[]): string[] {
  const wide = Math.max(...signIns.map((person) => person.email.length))
  const secretWide = Math.max(...signIns.map((person) => person.password.length))
  return signIns.map((person, index) => row(index === 0 ? 'Sign in as' : '', `${person.email.padEnd(wide)}   ${person.password.padEnd(secretWide)}   ${person.label}`))
}

/** The few lines a start ends in. */
export function renderBanner({ name, appUrl, mailboxUrl, phoneUrl, identityUrl, publishableKey, secretKey, signIns = [], data, notes = [] }: BannerFacts): string {
  const keys = [
    ...(publishableKey === undefined ? [] : [row('Public key', publishableKey)]),
    ...(secretKey === undefined ? [] : [row('Secret key', `${secretKey}   (never in a browser)`)]),
  ]
  const blocks = [
    [`  Portico ${version} — ${name}`],
    [row('App and API', appUrl), ...(mailboxUrl === undefined ? [] : [row('Mailbox', mailboxUrl)]), ...(phoneUrl === undefined ? [] : [row('Phone', phoneUrl)]), ...(identityUrl === undefined ? [] : [row('Identities', identityUrl)])],
    keys,
    signIns.length > 0 ? signInRows(signIns) : [],
    data === undefined ? [] : [row('Data', data)],
    notes.map((note) => `  ! ${note}`),
    ['  Ctrl-C stops it.'],
  ]
  return `\n${blocks.filter((block) => block.length > 0).map((block) => block.join('\n')).join('\n\n')}\n`
}
