import { functionAddress } from '#api/function-call.ts'
import { callOf, filled, mayHaveBody, pathOf, type CallRequest } from './request.ts'
import { withoutSecrets } from './secrets.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export interface CodeFacts {
  projectUrl: string
  name: string
  request: CallRequest
  fileName: string | undefined
}

/** The call as a command line. Key and token are named, never given; what looks like a secret of one's own is left empty. */
export function curlOf({ projectUrl, name, request: given, fileName }: CodeFacts): string {
  const request = withoutSecrets(given)
  const call = callOf(name, request, undefined)
  const address = functionAddress(projectUrl, call)?.href ?? `${projectUrl}/functions/v1/${name}`
  const headers = call.headers.map(([key, value]) => `-H ${quoted(`${key}: ${value}`)}`)
  const own = new Set(call.headers.map(([key]) => key.toLowerCase()))
  return [
    `curl --no-buffer -X ${call.method} ${quoted(address)}`,
    '-H "apikey: $PROJECT_KEY"',
    ...(own.has('authorization') ? [] : request.as === 'user' ? ['-H "Authorization: Bearer $ACCESS_TOKEN"'] : []),
    ...(request.region === 'any' ? [] : [`-H 'x-region: ${request.region}'`]),
    ...headers,
    ...curlBody(request, own, fileName),
  ].join(' \\\n  ')
}

function curlBody({ method, bodyKind, text, form }: CallRequest, own: ReadonlySet<string>, fileName: string | undefined): string[] {
  if (!mayHaveBody(method)) return []
  const type = (value: string) => (own.has('content-type') ? [] : [`-H 'Content-Type: ${value}'`])
  switch (bodyKind) {
    case 'none': return []
    case 'json': return text.trim() === '' ? [] : [...type('application/json'), `--data-raw ${quoted(text)}`]
    case 'text': return [...type('text/plain'), `--data-raw ${quoted(text)}`]
    case 'form': return filled(form).map(({ name, value }) => `--form-string ${quoted(`${name}=${value}`)}`)
    case 'file': return [...type('application/octet-stream'), `--data-binary ${quoted(`@${fileName ?? 'file'}`)}`]
  }
}

/** The call as code for the official client; who is signed in there is the client's own matter. */
export function supabaseCodeOf({ name, request: given, fileName }: Omit<CodeFacts, 'projectUrl'>): string {
  const request = withoutSecrets(given)
  const query = new URLSearchParams(filled(request.query).map((pair) => [pair.name, pair.value])).toString()
  const target = `${name}${pathOf(request)}${query && `?${query}`}`
  const own = Object.fromEntries(filled(request.headers).map((pair) => [pair.name, pair.value]))
  // The client takes a text for text/plain, whatever it holds.
  const isText = request.bodyKind === 'json' && mayHaveBody(request.method) && request.text.trim() !== '' && !isExpression(request.text)
  const headers = isText && !Object.keys(own).some((key) => key.toLowerCase() === 'content-type') ? { ...own, 'Content-Type': 'application/json' } : own
  const body = jsBody(request, fileName)
  const options = [
    ...(request.method === 'POST' ? [] : [`method: ${JSON.stringify(request.method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${indented(JSON.stringify(headers, null, 2))}`]),
    ...(body === undefined ? [] : [`body: ${indented(body)}`]),
    ...(request.region === 'any' ? [] : [`region: ${JSON.stringify(request.region)}`]),
  ]
  const second = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`
  return `const { data, error } = await supabase.functions.invoke(${JSON.stringify(target)}${second})`
}

/** JSON that code can hold as it stands: an object or a list, with no number that JavaScript would round. */
const isExpression = (json: string): boolean => /^\s*[[{]/.test(json) && !/\d{16,}/.test(json)

const indented = (code: string): string => code.replaceAll('\n', '\n  ')

function jsBody({ method, bodyKind, text, form }: CallRequest, fileName: string | undefined): string | undefined {
  if (!mayHaveBody(method)) return undefined
  switch (bodyKind) {
    case 'none': return undefined
    case 'json': return text.trim() === '' ? undefined : isExpression(text) ? text.trim() : JSON.stringify(text)
    case 'text': return JSON.stringify(text)
    case 'form': return `${JSON.stringify(filled(form).map((pair) => [pair.name, pair.value]))}.reduce((data, [name, value]) => (data.append(name, value), data), new FormData())`
    case 'file': return `file /* ${(fileName ?? 'a File').replaceAll('*/', '')} */`
  }
}
