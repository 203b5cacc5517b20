import { listAudit } from './admin-audit.ts'
import { createAdminUser, deleteAdminUser, getAdminUser, updateAdminUser } from './admin-users.ts'
import { listAdminUsers } from './admin-user-list.ts'
import type { Auth } from './auth.ts'
import type { Call } from './call.ts'
import { getUser, reauthenticate, updateCurrentUser } from './current-user.ts'
import { getHealth, getJwks, getServerMetadata, getSettings } from './discovery.ts'
import { factorRoutes } from './factors/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { generateLink } from './generate-link.ts'
import { invite } from './invite.ts'
import { logOut } from './log-out.ts'
import { requestMagicLink, requestOtp, requestRecovery, resend } from './mail-requests.ts'
import { oauthServerRoutes } from './oauth-server/routes.ts'
import { providerRoutes } from './providers/routes.ts'
import type { Bucket } from './rate-limits.ts'
import { signUp } from './sign-up.ts'
import { ssoRoutes } from './sso/routes.ts'
import { grantToken } from './token-grants.ts'
import { verifyCode, verifyLink } from './verify-routes.ts'

/** One endpoint. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the mount; `{name}` stands for one part: `/admin/users/{user_id}`. */
  path: string
  answer: (auth: Auth, call: Call) => Promise<Response>
  /** Counted against the caller's address before the endpoint runs. */
  bucket?: Bucket
}

/** Every endpoint of the service. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/health', answer: getHealth },
  { method: 'GET', path: '/settings', answer: getSettings },
  { method: 'GET', path: '/.well-known/jwks.json', answer: getJwks },
  { method: 'GET', path: '/.well-known/openid-configuration', answer: getServerMetadata },
  { method: 'POST', path: '/signup', answer: signUp },
  { method: 'POST', path: '/token', answer: grantToken },
  { method: 'POST', path: '/otp', answer: requestOtp, bucket: 'otp' },
  { method: 'POST', path: '/magiclink', answer: requestMagicLink, bucket: 'magiclink' },
  { method: 'POST', path: '/recover', answer: requestRecovery, bucket: 'recover' },
  { method: 'POST', path: '/resend', answer: resend, bucket: 'resend' },
  { method: 'GET', path: '/verify', answer: verifyLink, bucket: 'verify' },
  { method: 'POST', path: '/verify', answer: verifyCode, bucket: 'verify' },
  { method: 'GET', path: '/user', answer: getUser },
  { method: 'PUT', path: '/user', answer: updateCurrentUser },
  { method: 'GET', path: '/reauthenticate', answer: reauthenticate },
  { method: 'POST', path: '/logout', answer: logOut },
  { method: 'POST', path: '/invite', answer: invite },
  { method: 'GET', path: '/admin/users', answer: listAdminUsers },
  { method: 'POST', path: '/admin/users', answer: createAdminUser },
  { method: 'GET', path: '/admin/users/{user_id}', answer: getAdminUser },
  { method: 'PUT', path: '/admin/users/{user_id}', answer: updateAdminUser },
  { method: 'DELETE', path: '/admin/users/{user_id}', answer: deleteAdminUser },
  { method: 'POST', path: '/admin/generate_link', answer: generateLink },
  { method: 'GET', path: '/admin/audit', answer: listAudit },
  ...providerRoutes,
  ...oauthServerRoutes,
  ...ssoRoutes,
  ...factorRoutes,
  ...passkeyRoutes,
]

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.replace(/(.)\/$/, '$1').split('/')]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const shown = given[at] ?? ''
    if (part.startsWith('{')) params[part.slice(1, -1)] = shown
    else if (part !== shown) return undefined
  }
  return params
}

/** The route of a request; `otherMethods` when only the path is known. */
export function findRoute(method: string, path: string): { route: Route; params: Record<string, string> } | { otherMethods: readonly string[] } {
  const matches = routes.flatMap((route) => {
    const params = matchPath(route.path, path)
    return params ? [{ route, params }] : []
  })
  return matches.find(({ route }) => route.method === method) ?? { otherMethods: matches.map(({ route }) => route.method) }
}
