import type { RequestContext, Service } from '#contract/service.ts'
import { ServiceError } from '#contract/service-error.ts'

import { createAuth, type AuthDeps } from './auth.ts'
import { requireCaptcha } from './captcha/captcha.ts'
import { errorReply } from './error-reply.ts'
import { authError } from './errors.ts'
import { createHousekeeping } from './housekeeping.ts'
import { findRoute } from './routes.ts'

function notServed({ path }: RequestContext, otherMethods: readonly string[]): ServiceError {
  return otherMethods.length > 0
    ? new ServiceError({ status: 405, code: 'unknown', message: 'Method not allowed', headers: { allow: otherMethods.join(', ') } })
    : new ServiceError({ status: 404, code: 'unknown', message: `No endpoint at ${path}` })
}

/** Answers in time, or says that it does not. What was begun goes on to its own end. */
async function inTime(work: Promise<Response>, longestMs: number): Promise<Response> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(authError('request_timeout')), longestMs)
  })
  // Heard here as well: what fails after the answer has left must not end the process.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The auth API: sign-up, sign-in, sessions, mailed links and codes, and the administration of people.
 *
 * @see README.md for each endpoint and where it comes from.
 */
export function createAuthService(deps: AuthDeps): Service {
  const auth = createAuth(deps)
  const tidyUp = createHousekeeping(auth)
  return {
    async handle(request, context) {
      const found = findRoute(request.method, context.path)
      const query = context.url.searchParams
      if ('otherMethods' in found) throw notServed(context, found.otherMethods)
      const { route, params } = found
      if (route.bucket) auth.limits.spend(route.bucket, context.ip)
      const call = { request, context, params, query }
      const answered = requireCaptcha(auth, call).then(() => route.answer(auth, call))
      const answer = await inTime(answered, auth.settings.longestRequestMs)
      if (request.method === 'POST') tidyUp()
      return answer
    },
    renderError(error, request, context) {
      // The person learns that the database refused; why, a trigger of the project perhaps, is for the operator.
      if (error instanceof ServiceError && error.status >= 500) context.log.error('auth request failed', { error })
      return errorReply(error, request, context.requestId)
    },
  }
}
