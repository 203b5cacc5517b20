const names: Readonly<Record<string, string>> = {
  apple: 'Apple',
  azure: 'Microsoft',
  bitbucket: 'Bitbucket',
  discord: 'Discord',
  facebook: 'Facebook',
  figma: 'Figma',
  fly: 'Fly.io',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  kakao: 'Kakao',
  keycloak: 'Keycloak',
  linkedin: 'LinkedIn',
  linkedin_oidc: 'LinkedIn',
  // The box's own, for trying it out.
  local: 'local identity',
  notion: 'Notion',
  slack: 'Slack',
  slack_oidc: 'Slack',
  snapchat: 'Snapchat',
  spotify: 'Spotify',
  twitch: 'Twitch',
  twitter: 'X',
  x: 'X',
  workos: 'WorkOS',
  zoom: 'Zoom',
}

/** A provider as people know it; one we do not know is written with a capital. */
export const providerName = (provider: string): string =>
  names[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1).replaceAll('_', ' ')

/** Older entries of the same provider, which the newer one replaces. */
const replacedBy: Readonly<Record<string, string>> = { linkedin: 'linkedin_oidc', slack: 'slack_oidc', twitter: 'x' }

/** The buttons to show, none twice. */
export const offeredProviders = (providers: readonly string[]): string[] =>
  providers.filter((provider) => !providers.includes(replacedBy[provider] ?? ''))
