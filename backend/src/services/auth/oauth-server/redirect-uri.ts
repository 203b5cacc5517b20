const dangerousSchemes = new Set(['javascript:', 'data:', 'file:', 'vbscript:', 'about:', 'blob:'])
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

// What two parsers read differently is refused: the consent page shows the host that one of them found.
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const treacherous = /[\\\u0000-\u0020\u007f]/

/**
 * Why an address cannot be registered to send people back to; undefined: it can. `https` anywhere, `http` on this machine only,
 * an application's own scheme with a host: `com.example.app://callback`.
 *
 * @see supabase/auth internal/api/oauthserver/service.go, `validateRedirectURI`
 */
export function redirectUriFault(uri: string): string | undefined {
  if (uri === '') return 'redirect URI cannot be empty'
  if (uri.length > 2048) return 'redirect URI cannot exceed 2048 characters'
  if (treacherous.test(uri) || !URL.canParse(uri)) return 'invalid URL format'
  const parsed = new URL(uri)
  if (dangerousSchemes.has(parsed.protocol)) return `scheme '${parsed.protocol.slice(0, -1)}' is not allowed for security reasons`
  if (parsed.host === '' || !/^[a-z][a-z0-9+.-]*:\/\//i.test(uri)) return 'must have scheme and host'
  if (parsed.username !== '' || parsed.password !== '') return 'must not name a user'
  if (parsed.protocol === 'http:' && !loopbackHosts.has(parsed.hostname)) return 'HTTP scheme only allowed for localhost'
  if (uri.includes('#')) return 'fragment not allowed in redirect URI'
  // They are stored in one text, separated by commas: one with a comma would come back as two, the second unchecked.
  if (uri.includes(',')) return 'must not contain a comma'
  return undefined
}

/** An address with members put into its query, whose own members of the same name give way; the rest stays as it was registered. */
export function withQuery(uri: string, members: Readonly<Record<string, string>>): string {
  const at = uri.indexOf('?')
  const [base, query] = at < 0 ? [uri, ''] : [uri.slice(0, at), uri.slice(at + 1)]
  const merged = new URLSearchParams(query)
  for (const [name, value] of Object.entries(members)) merged.set(name, value)
  return `${base}?${merged.toString()}`
}
