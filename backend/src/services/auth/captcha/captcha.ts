import { z } from 'zod'

import type { Auth } from '#services/auth/auth.ts'
import { readOptionalBody, type Call } from '#services/auth/call.ts'
import { requireAdmin } from '#services/auth/caller.ts'
import { authError } from '#services/auth/errors.ts'
import type { Outbound } from '#services/auth/outbound.ts'

/** Longest wait for the provider, as on the hosted backend. */
const longestWaitMs = 10_000

const providerUrls = {
  hcaptcha: 'https://hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
} as const

const guardedPaths = new Set(['/signup', '/recover', '/resend', '/magiclink', '/otp', '/sso', '/passkeys/authentication/options', '/token'])

// These prove something only a person who passed one before can have.
const openGrants = new Set(['refresh_token', 'pkce', 'id_token'])

const captchaBody = z.object({
  gotrue_meta_security: z
    .object({ captcha_token: z.string().nullish().transform((given) => given ?? '') })
    .nullish()
    .transform((given) => given?.captcha_token.trim() ?? ''),
})

const providerAnswer = z.object({ success: z.boolean().default(false), 'error-codes': z.array(z.string()).nullish() })

const isGuarded = ({ request, context: { path }, query }: Call): boolean =>
  request.method === 'POST' && guardedPaths.has(path.replace(/(.)\/$/, '$1')) && !(path === '/token' && openGrants.has(query.get('grant_type') ?? ''))

const isAdmin = (auth: Auth, call: Call): Promise<boolean> =>
  requireAdmin(auth, call).then(
    () => true,
    () => false,
  )

async function askProvider(outbound: Outbound, url: string, form: Readonly<Record<string, string>>): Promise<z.output<typeof providerAnswer>> {
  const answer = await outbound(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    timeoutMs: longestWaitMs,
  })
  if (answer.status >= 300 && answer.status < 400) throw new Error('the provider answers elsewhere')
  return providerAnswer.parse(await answer.json())
}

/**
 * Asks the project's captcha provider about what a person solved, where the hosted backend does: sign-up, sign-in, recovery and
 * everything that sends. Calls with the project's secret key pass.
 *
 * @throws `captcha_failed` (400); `unexpected_failure` (500) when the provider cannot be asked: nobody passes unseen.
 * @see supabase/auth internal/api/middleware.go, `verifyCaptcha`; internal/security/captcha.go
 */
export async function requireCaptcha(auth: Auth, call: Call): Promise<void> {
  const { captcha } = auth.settings
  if (!captcha || !isGuarded(call) || (await isAdmin(auth, call))) return
  const { gotrue_meta_security: response } = await readOptionalBody(call, captchaBody)
  if (response === '') throw authError('captcha_failed')
  const asked = { secret: captcha.secret.trim(), response, remoteip: call.context.ip }
  const verdict = await askProvider(auth.outbound('anywhere'), captcha.url ?? providerUrls[captcha.provider], asked).catch((cause: unknown) => {
    auth.logger.error('captcha could not be checked', { provider: captcha.provider, error: cause })
    throw authError('unexpected_failure', { message: 'captcha verification process failed', cause })
  })
  if (verdict.success) return
  throw authError('captcha_failed', { message: `captcha protection: request disallowed (${(verdict['error-codes'] ?? []).join(', ')})` })
}
