import type { RequestContext } from '#contract/service.ts'
import type { StorageParts } from './parts.ts'
import { createS3Protocol } from './s3/protocol.ts'
import { createTusProtocol } from './tus/protocol.ts'

/** A protocol beside the JSON API, with paths, statuses and error forms of its own. Tried before it. */
export interface StorageProtocol {
  /** Undefined hands the request on. What it throws is rendered in the JSON API's dialect, so it renders its own failures itself. */
  answer(request: Request, context: RequestContext): Promise<Response | undefined>
  /** Forgets what was begun and left lying. Called at the start and each hour. */
  cleanUp(): Promise<void>
}

/** The protocols that are served, in the order they are tried. */
export const createProtocols = (parts: StorageParts): readonly StorageProtocol[] => [
  createTusProtocol(parts),
  ...(parts.settings.s3Protocol && parts.s3 ? [createS3Protocol(parts, parts.s3)] : []),
]
