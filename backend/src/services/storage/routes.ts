import type { RequestContext } from '#contract/service.ts'
import type { StorageParts } from './parts.ts'
import { createRouter, type Route } from './router.ts'

const version = '1.0.0'

const health = (): Route[] => [
  { method: 'GET', pattern: '/status', answer: async () => new Response(null, { status: 200 }) },
  { method: 'GET', pattern: '/version', answer: async () => new Response(version, { headers: { 'content-type': 'text/plain; charset=utf-8' } }) },
]

/** Every path of the JSON API. */
export const createRoutes = (_parts: StorageParts): ((request: Request, context: RequestContext) => Promise<Response>) => createRouter([...health()])
