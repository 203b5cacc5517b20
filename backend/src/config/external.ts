import { z } from 'zod'
import { flag } from './scalars.ts'

/** Providers that are acted on, by their names in `[auth.external.*]`. `local` is the local identity provider. */
export const actedOnProviders: readonly string[] = [
  'apple', 'azure', 'bitbucket', 'discord', 'facebook', 'figma', 'fly', 'github', 'gitlab', 'google', 'kakao', 'keycloak', 'linkedin',
  'linkedin_oidc', 'local', 'notion', 'slack', 'slack_oidc', 'snapchat', 'spotify', 'twitch', 'vercel_marketplace', 'workos', 'x', 'zoom',
]

const provider = z
  .strictObject({
    enabled: flag.default(false),
    client_id: z.string().default(''),
    secret: z.string().default(''),
    url: z.string().default(''),
    redirect_uri: z.string().default(''),
    skip_nonce_check: flag.default(false),
    email_optional: flag.default(false),
  })
  .transform((toml) => ({
    enabled: toml.enabled,
    clientId: toml.client_id,
    secret: toml.secret,
    url: toml.url,
    redirectUri: toml.redirect_uri,
    skipNonceCheck: toml.skip_nonce_check,
    emailOptional: toml.email_optional,
  }))

/** The `[auth.external.*]` sections. @see supabase/cli pkg/config/auth.go, `provider` */
export const externalSection = z.record(z.string(), provider).default({})

export type ExternalConfig = z.output<typeof externalSection>

/** Whether the local identity provider answers for a provider: it is that one itself, or its `url` is `local`. */
export const isAnsweredLocally = (name: string, { url }: { url: string }): boolean => name === 'local' || url === 'local'
