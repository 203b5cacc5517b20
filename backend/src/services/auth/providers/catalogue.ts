import { createHmac } from 'node:crypto'

import { knownIssuers } from './id-token-profiles.ts'
import { flag, fullName, list, member, oneEmail, pictured, text, type Profile } from './profile.ts'

/** What a provider gave for a code. */
export interface ProviderTokens {
  accessToken: string
  /** Empty where the provider gives none. */
  refreshToken: string
  idToken: string
  /** The whole answer. */
  answer: unknown
}

/** Asks a provider about the person whose tokens these are. */
export interface Asker {
  tokens: ProviderTokens
  clientId: string
  secret: string
  /** The JSON at an address, asked with the access token. @throws Error for any other status than 2xx. */
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<unknown>
}

/** How one provider is reached and read, as the hosted backend does it. */
export interface ProviderFacts {
  authorize: string
  token: string
  scopes: readonly string[]
  /** How the client shows its secret. Default: in the body. */
  clientAuth?: 'basic' | 'post'
  /** The provider knows PKCE for clients with a secret. */
  pkce?: true
  /** Added to the address of the provider's page. */
  params?: Readonly<Record<string, string>>
  /** Named for providers that are read by their ID tokens; endpoints are the issuer's own where these are empty. */
  issuer?: string
  /** Left out: by the ID token. */
  read?: (ask: Asker) => Promise<Profile>
}

/** The place of a provider: its own, or where `url` says it is run. No trailing slash. */
export type At = (usualHost: string) => string

const bitbucket = (at: At): ProviderFacts => {
  const api = `${at('api.bitbucket.org')}/2.0`
  return {
    authorize: `${at('bitbucket.org')}/site/oauth2/authorize`,
    token: `${at('bitbucket.org')}/site/oauth2/access_token`,
    scopes: ['account', 'email'],
    async read(ask) {
      const [user, emails] = [await ask.get(`${api}/user`), await ask.get(`${api}/user/emails`)]
      return {
        emails: list(emails, 'values').map((one) => ({ email: text(one, 'email'), isVerified: flag(one, 'is_confirmed'), isPrimary: flag(one, 'is_primary') })),
        claims: { iss: api, ...pictured(text(user, 'uuid'), text(user, 'display_name'), text(user, 'avatar', 'href')) },
      }
    },
  }
}

function discordPicture(user: unknown): string {
  const [id, avatar] = [text(user, 'id'), text(user, 'avatar')]
  if (avatar === '') return `https://cdn.discordapp.com/embed/avatars/${(Number(text(user, 'discriminator')) || 0) % 5}.png`
  return `https://cdn.discordapp.com/avatars/${id}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`
}

const discord = (at: At): ProviderFacts => {
  const api = `${at('discord.com')}/api`
  return {
    authorize: `${api}/oauth2/authorize`,
    token: `${api}/oauth2/token`,
    scopes: ['email', 'identify'],
    pkce: true,
    async read(ask) {
      const user = await ask.get(`${api}/users/@me`)
      const [name, picture] = [text(user, 'username'), discordPicture(user)]
      return {
        emails: oneEmail(text(user, 'email'), flag(user, 'verified')),
        claims: {
          iss: api,
          ...pictured(text(user, 'id'), name, picture),
          name: `${name}#${text(user, 'discriminator')}`,
          custom_claims: { global_name: text(user, 'global_name') },
        },
      }
    },
  }
}

const facebook = (at: At): ProviderFacts => {
  const profile = `${at('graph.facebook.com')}/me?fields=email,first_name,last_name,name,picture`
  return {
    authorize: `${at('www.facebook.com')}/dialog/oauth`,
    token: `${at('graph.facebook.com')}/oauth/access_token`,
    scopes: ['email'],
    async read(ask) {
      const proof = createHmac('sha256', ask.secret).update(ask.tokens.accessToken).digest('hex')
      const user = await ask.get(`${profile}&appsecret_proof=${proof}`)
      const [name, alias] = [fullName(text(user, 'first_name'), text(user, 'last_name')), text(user, 'name')]
      return {
        emails: oneEmail(text(user, 'email'), true),
        claims: { iss: profile, ...pictured(text(user, 'id'), name, text(user, 'picture', 'data', 'url')), nickname: alias, slug: alias },
      }
    },
  }
}

const figma = (at: At): ProviderFacts => {
  const api = at('api.figma.com')
  return {
    authorize: `${at('www.figma.com')}/oauth`,
    token: `${api}/v1/oauth/token`,
    scopes: ['current_user:read'],
    clientAuth: 'basic',
    async read(ask) {
      const user = await ask.get(`${api}/v1/me`)
      return {
        emails: oneEmail(text(user, 'email'), true),
        claims: { iss: api, ...pictured(text(user, 'id'), text(user, 'handle'), text(user, 'img_url')), picture: '' },
      }
    },
  }
}

const fly = (at: At): ProviderFacts => {
  const api = at('api.fly.io')
  return {
    authorize: `${api}/oauth/authorize`,
    token: `${api}/oauth/token`,
    scopes: ['read'],
    async read(ask) {
      const user = await ask.get(`${api}/oauth/token/info`)
      const sub = text(user, 'user_id')
      const own = ['resource_owner_id', 'organizations', 'application', 'scope', 'created_at']
      return {
        emails: oneEmail(text(user, 'email'), true),
        claims: { iss: api, sub, provider_id: sub, full_name: text(user, 'user_name'), custom_claims: Object.fromEntries(own.map((name) => [name, member(user, name)])) },
      }
    },
  }
}

const github = (at: At): ProviderFacts => {
  const host = at('api.github.com')
  const api = host.endsWith('api.github.com') ? host : `${host}/api/v3`
  return {
    authorize: `${at('github.com')}/login/oauth/authorize`,
    token: `${at('github.com')}/login/oauth/access_token`,
    scopes: ['user:email'],
    pkce: true,
    async read(ask) {
      const [user, emails] = [await ask.get(`${api}/user`), await ask.get(`${api}/user/emails`)]
      const [login, name] = [text(user, 'login'), text(user, 'name')]
      return {
        emails: list(emails).map((one) => ({ email: text(one, 'email'), isVerified: flag(one, 'verified'), isPrimary: flag(one, 'primary') })),
        claims: { iss: api, ...pictured(text(user, 'id'), name, text(user, 'avatar_url')), picture: '', preferred_username: login, user_name: login },
      }
    },
  }
}

const gitlab = (at: At): ProviderFacts => {
  const host = at('gitlab.com')
  return {
    authorize: `${host}/oauth/authorize`,
    token: `${host}/oauth/token`,
    scopes: ['read_user'],
    pkce: true,
    async read(ask) {
      const [user, emails] = [await ask.get(`${host}/api/v4/user`), await ask.get(`${host}/api/v4/user/emails`)]
      return {
        emails: [
          // Of further addresses GitLab does not say whether they were confirmed.
          ...list(emails).map((one) => ({ email: text(one, 'email'), isVerified: false, isPrimary: false })),
          ...oneEmail(text(user, 'email'), text(user, 'confirmed_at') !== ''),
        ],
        claims: { iss: host, ...pictured(text(user, 'id'), text(user, 'name'), text(user, 'avatar_url')) },
      }
    },
  }
}

const kakao = (at: At): ProviderFacts => {
  const api = at('kapi.kakao.com')
  return {
    authorize: `${at('kauth.kakao.com')}/oauth/authorize`,
    token: `${at('kauth.kakao.com')}/oauth/token`,
    scopes: ['account_email', 'profile_image', 'profile_nickname'],
    async read(ask) {
      const user = await ask.get(`${api}/v2/user/me`)
      const account = member(user, 'kakao_account')
      const name = text(account, 'profile', 'nickname')
      return {
        emails: oneEmail(text(account, 'email'), flag(account, 'is_email_verified') && flag(account, 'is_email_valid')),
        claims: { iss: api, ...pictured(text(user, 'id'), name, text(account, 'profile', 'profile_image_url')), picture: '', preferred_username: name, user_name: name },
      }
    },
  }
}

const standard = new Set(['name', 'sub', 'email', 'email_verified'])

const keycloak = (at: At): ProviderFacts => {
  const realm = at('')
  return {
    authorize: `${realm}/protocol/openid-connect/auth`,
    token: `${realm}/protocol/openid-connect/token`,
    // Without `openid` newer ones do not answer about the person.
    scopes: ['openid', 'profile', 'email'],
    pkce: true,
    async read(ask) {
      const user = await ask.get(`${realm}/protocol/openid-connect/userinfo`)
      const others = Object.entries(typeof user === 'object' && user !== null ? user : {}).filter(([name]) => !standard.has(name))
      const [sub, name] = [text(user, 'sub'), text(user, 'name')]
      return {
        emails: oneEmail(text(user, 'email'), member(user, 'email_verified') === true),
        claims: { iss: realm, sub, provider_id: sub, name, full_name: name, custom_claims: Object.fromEntries(others) },
      }
    },
  }
}

function linkedinName(name: unknown): string {
  const locale = `${text(name, 'preferredLocale', 'language')}_${text(name, 'preferredLocale', 'country')}`
  return text(name, 'localized', locale)
}

const linkedin = (at: At): ProviderFacts => {
  const api = at('api.linkedin.com')
  return {
    authorize: `${api}/oauth/v2/authorization`,
    token: `${api}/oauth/v2/accessToken`,
    scopes: ['r_emailaddress', 'r_liteprofile'],
    async read(ask) {
      const user = await ask.get(`${api}/v2/me?projection=(id,firstName,lastName,profilePicture(displayImage~:playableStreams))`)
      const emails = await ask.get(`${api}/v2/emailAddress?q=members&projection=(elements*(handle~))`)
      const pictures = list(user, 'profilePicture', 'displayImage~', 'elements')
      const picture = text(list(pictures[0], 'identifiers')[0], 'identifier')
      const name = fullName(linkedinName(member(user, 'firstName')), linkedinName(member(user, 'lastName')))
      return {
        emails: oneEmail(text(list(emails, 'elements')[0], 'handle~', 'emailAddress'), true),
        claims: { iss: api, ...pictured(text(user, 'id'), name, picture) },
      }
    },
  }
}

const linkedinOidc = (at: At): ProviderFacts => ({
  authorize: `${at('api.linkedin.com')}/oauth/v2/authorization`,
  token: `${at('api.linkedin.com')}/oauth/v2/accessToken`,
  scopes: ['openid', 'email', 'profile'],
  issuer: knownIssuers.linkedin,
})

const notion = (at: At): ProviderFacts => {
  const api = at('api.notion.com')
  return {
    authorize: `${api}/v1/oauth/authorize`,
    token: `${api}/v1/oauth/token`,
    scopes: [],
    clientAuth: 'basic',
    async read(ask) {
      const user = member(await ask.get(`${api}/v1/users/me`, { 'notion-version': '2021-08-16' }), 'bot', 'owner', 'user')
      return {
        emails: oneEmail(text(user, 'person', 'email'), true),
        claims: { iss: api, ...pictured(text(user, 'id'), text(user, 'name'), text(user, 'avatar_url')) },
      }
    },
  }
}

/** How each provider of the hosted backend is reached and read. @see supabase/auth internal/api/provider */
export const codeProviders: Readonly<Record<string, (at: At) => ProviderFacts>> = {
  bitbucket, discord, facebook, figma, fly, github, gitlab, kakao, keycloak, linkedin, linkedin_oidc: linkedinOidc, notion,
}
