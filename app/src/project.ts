import type { Brand } from './brand.ts'
import type { Door } from './door.ts'
import type { ListedFunction } from './listed-functions.ts'

/** One project the app can be pointed at. Holds public facts only. */
export interface Project {
  /** Stable, from the URL's origin: `http-127-0-0-1-54321`. Part of the storage key and of query keys. */
  id: string
  /** Shown in headings and the switcher. */
  name: string
  /** Origin and optional path, no trailing slash: `https://abc.supabase.co`. */
  url: string
  /** `sb_publishable_…` or a JWT whose role is `anon`. Never a secret key. */
  key: string
  /** A session cookie of another name than the usual, to share the session with a sibling app. */
  cookieName?: string
  /** Its edge functions, as far as `portico.json` lists them. */
  functions?: readonly ListedFunction[]
  /** False: nobody is shown who else is here. */
  presence?: false
  /** The public bucket of people's pictures, `avatars` unless told otherwise; false where people show none. */
  avatars?: string | false
  /** How the operator wants the app to look for it. */
  brand?: Brand
  /** Addresses of sibling apps that people may be sent on to after signing in: `https://*.example.com/**`. */
  redirects?: readonly string[]
  /** How people come in, as far as `portico.json` says. */
  door?: Door
}

/** The official default takes the first host label only, so projects on one host would share a session; this one names the whole origin. */
export const sessionCookieName = ({ id, cookieName }: Pick<Project, 'id' | 'cookieName'>): string => cookieName ?? `sb-${id}-auth-token`
