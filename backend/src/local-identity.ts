import { join } from 'node:path'
import { isAnsweredLocally } from './config/external.ts'
import type { IdentityProvider } from '#services/identity-provider/identity-provider.ts'
import type { AuthSettings } from '#services/auth/settings.ts'
import type { Config } from './config.ts'
import { isReachedByOthers } from './service-settings.ts'

/** The local identity provider's own listener, and who is there at first. */
export interface LocalIdentityOptions {
  /** Where its port is reached: `http://127.0.0.1:54325`. Loopback, or it is not opened. */
  origin: string
  /** What people call the project. */
  project: string
  people: readonly { name: string; email: string }[]
}

const localNames = ({ auth }: Config): string[] => Object.entries(auth.external).filter(([name, one]) => one.enabled && isAnsweredLocally(name, one)).map(([name]) => name)

/** Whether the project has providers that the local one answers for. */
export const wantsLocalIdentity = (config: Config): boolean => config.auth.enabled && localNames(config).length > 0

/** Whether it may be opened: nobody proves anything there, so a box that others can reach has none. */
export const mayOpenLocalIdentity = (config: Config, place: { origin: string; boundHost: string }): boolean =>
  wantsLocalIdentity(config) && !isReachedByOthers(config, place.boundHost, [place.origin, config.auth.externalUrl, config.api.externalUrl, config.server.publicUrl ?? ''])

/** Sentences about providers that are off for want of it. */
export const localIdentityWarnings = (config: Config, isOpen: boolean): readonly string[] =>
  isOpen || !wantsLocalIdentity(config) ? [] : [`Sign-in providers that the local identity provider answers for are off, since others can reach this box: ${localNames(config).join(', ')}.`]

/** Opens it for the providers of `settings` that it answers for. */
export async function openLocalIdentity(options: LocalIdentityOptions, asked: { settings: AuthSettings; dataFolder: string | undefined }): Promise<IdentityProvider> {
  const { settings, dataFolder } = asked
  // Most boxes have none: what it is made of is read only then.
  const { createIdentityProvider } = await import('#services/identity-provider/identity-provider.ts')
  const local = Object.entries(settings.providers.external).filter(([, provider]) => provider.isLocal)
  return createIdentityProvider({
    issuer: options.origin,
    project: options.project,
    people: options.people,
    clients: local.map(([provider, { clientIds }]) => ({ provider, clientId: clientIds[0] ?? '', redirectUris: [`${settings.externalUrl}/callback`] })),
    ...(dataFolder === undefined ? {} : { folder: join(dataFolder, 'identity') }),
  })
}
