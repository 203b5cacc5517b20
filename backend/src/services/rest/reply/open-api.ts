import type { RequestContext } from '#contract/service.ts'
import type { Database } from '#database/database.ts'
import { openApiDisabled } from '#services/rest/errors.ts'
import type { ApiRequest } from '#services/rest/request/api-request.ts'
import type { SchemaCache } from '#services/rest/schema-cache/schema-cache.ts'
import type { RestSettings } from '#services/rest/settings.ts'
import type { Reply } from './reply.ts'

export interface SchemaDescriptionDeps {
  database: Database
  settings: RestSettings
  request: ApiRequest
  cache: SchemaCache
  context: RequestContext
}

export async function describeSchema(_deps: SchemaDescriptionDeps): Promise<Reply> {
  throw openApiDisabled()
}
