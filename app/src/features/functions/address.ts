import type { ParameterChanges } from '#page-address.ts'
import { functionRegions } from '#api/function-call.ts'
import { functionMethods } from '#listed-functions.ts'
import { bodyKinds, filled, type CallRequest } from './request.ts'

export const functionPath = (name: string): string => `/functions/${encodeURIComponent(name)}`

/** What of a request stands in the page's address. Headers and bodies do not: they may hold what no history should. */
export function addressOf({ method, path, query, as, region, bodyKind }: CallRequest): ParameterChanges {
  return {
    method,
    path,
    query: new URLSearchParams(filled(query).map(({ name, value }) => [name, value])).toString(),
    as: as === 'public' ? as : null,
    region: region === 'any' ? null : region,
    body: bodyKind,
  }
}

/** Lays what the address says over a request; what it does not say, or says wrongly, stays. */
export function withAddress(request: CallRequest, parameters: URLSearchParams): CallRequest {
  const oneOf = <T extends string>(name: string, choices: readonly T[]): T | undefined => choices.find((choice) => choice === parameters.get(name))
  const query = parameters.get('query')
  return {
    ...request,
    method: oneOf('method', functionMethods) ?? request.method,
    path: parameters.get('path') ?? request.path,
    query: query === null ? request.query : [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    as: oneOf('as', ['user', 'public']) ?? request.as,
    region: oneOf('region', functionRegions) ?? request.region,
    bodyKind: oneOf('body', bodyKinds) ?? request.bodyKind,
  }
}
