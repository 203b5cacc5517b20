import type { RequestContext } from '#contract/service.ts'
import { getServiceActor } from './authenticate.ts'
import { bucketRoutes } from './bucket-routes.ts'
import { downloadRoutes } from './download-routes.ts'
import { linkRoutes } from './link-routes.ts'
import { objectRoutes } from './object-routes.ts'
import type { StorageParts } from './parts.ts'
import { renderRoutes } from './render-routes.ts'
import { json } from './reply.ts'
import { createRouter, type Call, type Route } from './router.ts'

// What the answers of this API are modelled on.
const version = '1.0.0'

const health: Route[] = [
  { method: 'GET', pattern: '/status', alsoHead: true, answer: async () => new Response(null, { status: 200 }) },
  { method: 'GET', pattern: '/version', alsoHead: true, answer: async () => new Response(version, { headers: { 'content-type': 'text/plain; charset=utf-8' } }) },
]

// No cache stands between the box and whoever asks, so there is nothing to purge.
const purge = (operation: string) => async (call: Call) => {
  getServiceActor(call, operation)
  return json({ message: 'success' })
}

const cache: Route[] = [
  { method: 'DELETE', pattern: '/cdn', answer: purge('storage.cdn.purge_tenant_cache') },
  { method: 'DELETE', pattern: '/cdn/:bucket', answer: purge('storage.cdn.purge_bucket_cache') },
  { method: 'DELETE', pattern: '/cdn/:bucket/*', answer: purge('storage.cdn.purge_object_cache') },
]

/** Every path of the JSON API; where two fit, the first is meant. */
export const createRoutes = (parts: StorageParts): ((request: Request, context: RequestContext) => Promise<Response>) =>
  createRouter([...health, ...cache, ...bucketRoutes(parts), ...linkRoutes(parts), ...renderRoutes(parts), ...objectRoutes(parts), ...downloadRoutes(parts)])
