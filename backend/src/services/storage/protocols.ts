import type { RequestContext } from '#contract/service.ts'
import type { StorageParts } from './parts.ts'

/**
 * A protocol beside the JSON API, with paths, statuses and error forms of its own. Tried before it; undefined hands the request on.
 * What it throws is rendered in the JSON API's dialect, so it renders its own failures itself.
 */
export type StorageProtocol = (request: Request, context: RequestContext) => Promise<Response | undefined>

/** The protocols that are served, in the order they are tried. */
export const createProtocols = (_parts: StorageParts): readonly StorageProtocol[] => []
