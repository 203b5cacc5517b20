import type { At, ProviderFacts } from './catalogue.ts'
import { knownIssuers } from './id-token-profiles.ts'
import { flag, fullName, list, member, oneEmail, pictured, text } from './profile.ts'

// The two ways of Slack differ in their pages and in whether they tell that an address was verified.
const slackWith = (at: At, facts: { authorize: string; token: string; isVerified: (user: unknown) => boolean }): ProviderFacts => {
  const api = `${at('slack.com')}/api`
  return {
    authorize: `${at('slack.com')}${facts.authorize}`,
    token: `${api}${facts.token}`,
    scopes: ['profile', 'email', 'openid'],
    async read(ask) {
      const user = await ask.get(`${api}/openid.connect.userInfo`)
      const picture = text(user, 'picture')
      return {
        emails: oneEmail(text(user, 'email'), facts.isVerified(user)),
        claims: {
          iss: api,
          ...pictured(text(user, 'https://slack.com/user_id'), text(user, 'name'), picture),
          custom_claims: { 'https://slack.com/team_id': text(user, 'https://slack.com/team_id') },
        },
      }
    },
  }
}

const slack = (at: At) => slackWith(at, { authorize: '/oauth/authorize', token: '/oauth.access', isVerified: () => true })
const slackOidc = (at: At) => slackWith(at, { authorize: '/openid/connect/authorize', token: '/openid.connect.token', isVerified: (user) => flag(user, 'email_verified') })

const snapchat = (at: At): ProviderFacts => {
  const profile = `${at('kit.snapchat.com')}/v1/me`
  const query = new URLSearchParams({ query: '{me { externalId displayName bitmoji { avatar id } email } }' })
  const scope = 'https://auth.snapchat.com/oauth2/api/user.'
  return {
    authorize: `${at('accounts.snapchat.com')}/accounts/oauth2/auth`,
    token: `${at('accounts.snapchat.com')}/accounts/oauth2/token`,
    scopes: [`${scope}external_id`, `${scope}display_name`, `${scope}bitmoji.avatar`],
    clientAuth: 'basic',
    async read(ask) {
      const me = member(await ask.get(`${profile}?${query}`), 'data', 'me')
      const name = text(me, 'displayName')
      return {
        emails: oneEmail(text(me, 'email'), true),
        claims: { iss: knownIssuers.snapchat, ...pictured(text(me, 'externalId'), name, text(me, 'bitmoji', 'avatar')), slug: name },
      }
    },
  }
}

function largestImage(images: readonly unknown[]): string {
  const size = (image: unknown) => Number(text(image, 'height')) * Number(text(image, 'width'))
  const largest = images.reduce<unknown>((best, image) => (best === undefined || size(image) > size(best) ? image : best), undefined)
  return text(largest, 'url')
}

const spotify = (at: At): ProviderFacts => {
  const api = at('api.spotify.com/v1')
  return {
    authorize: `${at('accounts.spotify.com')}/authorize`,
    token: `${at('accounts.spotify.com')}/api/token`,
    scopes: ['user-read-email'],
    clientAuth: 'basic',
    pkce: true,
    async read(ask) {
      const user = await ask.get(`${api}/me`)
      return {
        // Spotify does not tell whether it has verified an address.
        emails: oneEmail(text(user, 'email'), false),
        claims: { iss: api, ...pictured(text(user, 'id'), text(user, 'display_name'), largestImage(list(user, 'images'))) },
      }
    },
  }
}

const twitch = (at: At): ProviderFacts => {
  const api = at('api.twitch.tv')
  return {
    authorize: `${at('id.twitch.tv')}/oauth2/authorize`,
    token: `${at('id.twitch.tv')}/oauth2/token`,
    scopes: ['user:read:email'],
    async read(ask) {
      const [user] = list(await ask.get(`${api}/helix/users`, { 'client-id': ask.clientId }), 'data')
      const alias = text(user, 'display_name')
      const own = ['broadcaster_type', 'description', 'type', 'offline_image_url', 'view_count']
      return {
        emails: oneEmail(text(user, 'email'), true),
        claims: {
          iss: api,
          ...pictured(text(user, 'id'), text(user, 'login'), text(user, 'profile_image_url')),
          nickname: alias,
          slug: alias,
          custom_claims: Object.fromEntries(own.map((name) => [name, member(user, name)])),
        },
      }
    },
  }
}

const x = (at: At): ProviderFacts => {
  const api = at('api.x.com')
  return {
    authorize: `${at('x.com')}/i/oauth2/authorize`,
    token: `${api}/2/oauth2/token`,
    scopes: ['users.email', 'tweet.read', 'users.read', 'offline.access'],
    clientAuth: 'basic',
    pkce: true,
    async read(ask) {
      const user = member(await ask.get(`${api}/2/users/me?user.fields=id,name,username,confirmed_email,profile_image_url,url,created_at`), 'data')
      const name = text(user, 'username')
      return {
        emails: oneEmail(text(user, 'confirmed_email'), true),
        claims: {
          iss: api,
          ...pictured(text(user, 'id'), text(user, 'name'), text(user, 'profile_image_url')),
          preferred_username: name,
          user_name: name,
          profile: `https://x.com/${name}`,
          website: text(user, 'url'),
          custom_claims: { created_at: text(user, 'created_at') },
        },
      }
    },
  }
}

const workos = (at: At): ProviderFacts => {
  const api = at('api.workos.com')
  return {
    authorize: `${api}/sso/authorize`,
    token: `${api}/sso/token`,
    scopes: [],
    async read({ tokens }) {
      const user = member(tokens.answer, 'profile')
      const [sub, name] = [text(user, 'id'), fullName(text(user, 'first_name'), text(user, 'last_name'))]
      return {
        emails: oneEmail(text(user, 'email'), true),
        claims: {
          iss: api,
          sub,
          provider_id: sub,
          name,
          full_name: name,
          custom_claims: { connection_id: text(user, 'connection_id'), organization_id: text(user, 'organization_id') },
        },
      }
    },
  }
}

const zoom = (at: At): ProviderFacts => {
  const api = `${at('api.zoom.us')}/v2`
  return {
    authorize: `${at('zoom.us')}/oauth/authorize`,
    token: `${at('zoom.us')}/oauth/token`,
    scopes: [],
    clientAuth: 'basic',
    pkce: true,
    async read(ask) {
      const user = await ask.get(`${api}/users/me`)
      // Type 100 signs in by e-mail address: only there an address may be one nobody has confirmed.
      const isVerified = text(user, 'login_type') !== '100' || !['', '0'].includes(text(user, 'verified'))
      return {
        emails: oneEmail(text(user, 'email'), isVerified),
        claims: { iss: api, ...pictured(text(user, 'id'), fullName(text(user, 'first_name'), text(user, 'last_name')), text(user, 'pic_url')) },
      }
    },
  }
}

// Endpoints that are empty here are read from the issuer's own metadata.
const google = (): ProviderFacts => ({ authorize: '', token: '', scopes: ['email', 'profile', 'openid'], pkce: true, issuer: knownIssuers.google })

const apple = (): ProviderFacts => ({ authorize: '', token: '', scopes: ['email', 'name'], params: { response_mode: 'form_post' }, issuer: knownIssuers.apple })

const azure = (at: At): ProviderFacts => {
  const host = at('login.microsoftonline.com/common')
  return { authorize: `${host}/oauth2/v2.0/authorize`, token: `${host}/oauth2/v2.0/token`, scopes: ['openid'], pkce: true, issuer: `${host}/v2.0` }
}

const vercel = (at: At): ProviderFacts => ({
  authorize: `${at('api.vercel.com')}/oauth/v2/authorization`,
  token: `${at('api.vercel.com')}/oauth/v2/accessToken`,
  scopes: [],
  issuer: knownIssuers.vercel_marketplace,
})

/** The rest of the hosted backend's providers. @see supabase/auth internal/api/provider */
export const moreProviders: Readonly<Record<string, (at: At) => ProviderFacts>> = {
  apple, azure, google, slack, slack_oidc: slackOidc, snapchat, spotify, twitch, vercel_marketplace: vercel, workos, x, zoom,
}
