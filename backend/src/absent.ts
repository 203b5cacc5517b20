import type { Service } from '#contract/service.ts'

type Dialect = (message: string) => Response

const answer = (body: (message: string) => unknown, init: ResponseInit = {}): Dialect => (message) => Response.json(body(message), { status: 501, ...init })

// How each API says no, so that the official client makes a proper error of it.
const dialects: Readonly<Record<string, Dialect>> = {
  // The client takes a 501 for a passing fault of the network and asks again.
  '/auth/v1': answer((message) => ({ code: 422, error_code: 'feature_disabled', msg: message }), { status: 422 }),
  '/rest/v1': answer((message) => ({ code: '0A000', message, details: null, hint: null })),
  '/storage/v1': answer((message) => ({ statusCode: '501', error: 'not_implemented', message, code: 'NotImplemented' })),
  '/realtime/v1': answer((message) => ({ error: message })),
  '/functions/v1': answer((message) => ({ code: 'NOT_IMPLEMENTED', message }), { headers: { 'x-relay-error': 'true' } }),
  '/graphql/v1': answer((message) => ({ errors: [{ message }] })),
}

const switches: Readonly<Record<string, string>> = { '/auth/v1': '[auth]', '/rest/v1': '[api]', '/realtime/v1': '[realtime]', '/storage/v1': '[storage]', '/functions/v1': '[edge_runtime]' }

function sayNo(prefix: string, dialect: Dialect): Service {
  const section = switches[prefix]
  const say = () => dialect(section === undefined ? 'This service is not part of this backend yet' : `This service is switched off by ${section} of config.toml`)
  return { handle: async () => say(), renderError: say }
}

/** What stands where a hosted API is not served: because it is not built yet, or because the project switches it off. */
export const absentServices = (served: readonly string[]): readonly { prefix: string; service: Service }[] =>
  Object.entries(dialects).filter(([prefix]) => !served.includes(prefix)).map(([prefix, dialect]) => ({ prefix, service: sayNo(prefix, dialect) }))
