// Any page may call the API: it takes no cookies, and a caller is worth what its key and token are worth.

const exposed = [
  'content-encoding', 'content-location', 'content-range', 'content-type', 'content-length', 'date', 'etag', 'link', 'location', 'location-mode',
  'preference-applied', 'range-unit', 'retry-after', 'server-timing', 'sb-error-code', 'sb-gateway-version', 'tus-resumable', 'upload-expires',
  'upload-length', 'upload-metadata', 'upload-offset', 'x-relay-error', 'x-request-id', 'x-sb-error-code', 'x-supabase-api-version', 'x-total-count',
  'x-transformations',
].join(', ')

/** Goes on every answer of the API. */
export const corsHeaders: readonly (readonly [string, string])[] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', exposed],
]

export const isPreflight = (method: string, headers: { get(name: string): string | null }): boolean =>
  method === 'OPTIONS' && headers.get('origin') !== null && headers.get('access-control-request-method') !== null

/** Answers a preflight as the hosted gateway does: every method, the asked-for headers, remembered for an hour. */
export function answerPreflight(headers: { get(name: string): string | null }): Response {
  return new Response(null, {
    status: 200,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS',
      'access-control-allow-headers': headers.get('access-control-request-headers') ?? '*',
      'access-control-max-age': '3600',
      vary: 'access-control-request-headers',
      'content-length': '0',
    },
  })
}
