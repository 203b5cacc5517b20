import type { Call } from '#api/call-log.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The call as a command line. Key, token and body are named, never given; what the log left out of the path is left out here as well. */
export function curlOf(call: Pick<Call, 'method' | 'path' | 'role' | 'service'>, projectUrl: string): string {
  const { origin } = new URL(projectUrl)
  const hasBody = !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(call.method)
  const bearer = call.role === 'user' ? '$ACCESS_TOKEN' : '$PROJECT_KEY'
  return [
    `curl ${call.method === 'GET' ? '' : call.method === 'HEAD' ? '--head ' : `-X ${call.method} `}${quoted(origin + call.path)}`,
    '-H "apikey: $PROJECT_KEY"',
    `-H "Authorization: Bearer ${bearer}"`,
    ...(hasBody ? ["-H 'Content-Type: application/json'", '--data @body.json'] : []),
  ].join(' \\\n  ')
}
