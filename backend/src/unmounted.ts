import type { Service } from '#contract/service.ts'

const message = 'This service is not part of this backend yet'

type Dialect = () => Response

const answer = (body: unknown, headers: Record<string, string> = {}): Dialect => () => Response.json(body, { status: 501, headers })

/** How each API says no, so that the official client makes a proper error of it. */
export const unmountedDialects: Readonly<Record<string, Dialect>> = {
  '/storage/v1': answer({ statusCode: '501', error: 'not_implemented', message, code: 'NotImplemented' }),
  '/realtime/v1': answer({ error: message }),
  '/functions/v1': answer({ code: 'NOT_IMPLEMENTED', message }, { 'x-relay-error': 'true' }),
  '/graphql/v1': answer({ errors: [{ message }] }),
}

/** Stands where a service will be. */
export const unmountedService = (say: Dialect): Service => ({ handle: async () => say(), renderError: () => say() })
