import type { RequestContext } from '#contract/service.ts'
import { requestInvalid, routeNotFound } from './errors.ts'

/** One request on its way through a route. */
export interface Call {
  request: Request
  context: RequestContext
  /** Percent-decoded once. `*` is the rest of the path, slashes and all. */
  params: Readonly<Record<string, string>>
}

export type Answer = (call: Call) => Promise<Response>

export interface Route {
  method: string
  /** `/object/sign/:bucket/*`. */
  pattern: string
  answer: Answer
  /** A `GET` whose headers may be asked for alone. */
  alsoHead?: boolean
}

function decode(text: string, path: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw requestInvalid(`'${path}' is not a valid url component`, 'FastifyError')
  }
}

type Match = Readonly<Record<string, string>> | undefined

const withoutBody = (answer: Answer): Answer => async (call) => {
  const { body, status, headers } = await answer(call)
  await body?.cancel()
  return new Response(null, { status, headers })
}

function matchPath(pattern: readonly string[], given: readonly string[]): Match {
  const params: Record<string, string> = {}
  // A last slash makes no other place where there is no name it could be a part of.
  const path = given.at(-1) === '' && !pattern.some((step) => step.startsWith(':')) ? given.slice(0, -1) : given
  const hasRest = pattern.at(-1) === '*'
  const fixed = hasRest ? pattern.slice(0, -1) : pattern
  if (hasRest ? path.length <= fixed.length : path.length !== fixed.length) return undefined
  for (const [index, step] of fixed.entries()) {
    const given = path[index] ?? ''
    if (!step.startsWith(':')) {
      if (given !== step) return undefined
      continue
    }
    if (given === '') return undefined
    params[step.slice(1)] = given
  }
  if (hasRest) params['*'] = path.slice(fixed.length).join('/')
  return params
}

/**
 * Makes the function that finds the route of a request: the first that fits, so the more exact ones stand first.
 *
 * @throws 404 for a path nobody takes.
 */
export function createRouter(routes: readonly Route[]): (request: Request, context: RequestContext) => Promise<Response> {
  const table = routes.flatMap(({ method, pattern, answer, alsoHead }) => {
    const steps = pattern.split('/')
    return [{ method, steps, answer }, ...(alsoHead ? [{ method: 'HEAD', steps, answer: withoutBody(answer) }] : [])]
  })
  return async (request, context) => {
    const path = context.path.split('/')
    for (const { method, steps, answer } of table) {
      const found = method === request.method ? matchPath(steps, path) : undefined
      if (!found) continue
      const params = Object.fromEntries(Object.entries(found).map(([name, value]) => [name, decode(value, context.path)]))
      return answer({ request, context, params })
    }
    throw routeNotFound(request.method, `${context.path}${context.url.search}`)
  }
}
