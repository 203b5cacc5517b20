import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'

/**
 * Fetches an identity provider's metadata: over TLS, from a public address, bounded in time and size.
 *
 * @throws `saml_metadata_fetch_failed` (400).
 */
export async function fetchMetadata(auth: Auth, url: string): Promise<string> {
  const failed = (why: string, cause?: unknown) => authError('saml_metadata_fetch_failed', { message: `${why} fetching SAML Metadata from URL '${url}'`, cause })
  let answer: Response
  try {
    answer = await auth.outbound('public')(url, { headers: { accept: 'application/xml;charset=UTF-8' } })
  } catch (cause) {
    throw failed('Error', cause)
  }
  if (answer.status !== 200) throw failed(`HTTP ${answer.status} error`)
  return answer.text()
}
