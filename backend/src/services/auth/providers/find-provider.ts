import type { Auth } from '#services/auth/auth.ts'

import { openCustom } from './custom-provider.ts'
import { openConfigured, type Provider } from './provider.ts'

/**
 * A provider by its name: one of `[auth.external.*]`, or `custom:<id>` of the admin API.
 *
 * @param scopes as the client asked: with commas, custom ones with blanks.
 * @throws UnsupportedProvider, or Error when its metadata cannot be had.
 */
export function findProvider(auth: Auth, name: string, scopes: string): Promise<Provider> {
  return name.startsWith('custom:') ? openCustom(auth, name, scopes) : openConfigured(auth, name, scopes)
}
