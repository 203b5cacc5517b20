/** Headers of everything the local post answers with. */
export const postHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * What a page of the local post may do: run and load its own files, and nothing else.
 *
 * @param more directives of one page: `frame-src 'self'`.
 */
export const pagePolicy = (...more: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    ...more,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Whether a request names this machine. A page of another site can make a browser ask this address under its own name (DNS rebinding). */
export const isOwnName = (request: Request, url: URL): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(request.headers.get('host') ?? url.host)

/**
 * Whether a request comes from another site, which may not act here, even where the browser would let it without reading the answer.
 * Another port of this machine is another site too: what runs there is not the box.
 */
export const isOtherSite = (request: Request): boolean => ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')
