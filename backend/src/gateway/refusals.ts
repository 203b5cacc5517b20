/** An answer of the gateway itself, in the hosted gateway's shape. */
export interface Refusal {
  status: number
  body: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

export const noApiKey: Refusal = {
  status: 401,
  body: { message: 'No API key found in request', hint: 'No `apikey` request header or url param was found.' },
}

export const invalidApiKey: Refusal = {
  status: 401,
  body: { message: 'Invalid API key', hint: 'Double check your Supabase `anon` or `service_role` API key.' },
}

export const secretKeyInBrowser: Refusal = {
  status: 401,
  body: {
    message: 'Forbidden use of secret API key in browser',
    hint: 'Secret API keys can only be used in a protected environment and should never be used in a browser. Delete this secret API key immediately!',
  },
  headers: { 'sb-error-code': 'UNAUTHORIZED_INVALID_API_KEY_TYPE' },
}

/** A name that was made to point at loopback is not this box, whatever the browser thinks. */
export const foreignHost: Refusal = {
  status: 421,
  body: {
    message: 'This host name is not served here',
    hint: 'Use 127.0.0.1 or localhost, or add the name to PORTICO_ALLOWED_HOSTS.',
  },
}

export const noRoute: Refusal = { status: 404, body: { message: 'no Route matched with those values' } }

/** The path is served, as plain HTTP only. */
export const noUpgradeHere: Refusal = { status: 501, body: { message: 'This path takes no WebSocket' } }

export const malformedUrl: Refusal = { status: 400, body: { message: 'Malformed request URL' } }

export const renderRefusal = (refusal: Refusal): Response =>
  new Response(JSON.stringify(refusal.body), {
    status: refusal.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...refusal.headers },
  })
