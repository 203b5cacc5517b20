import { describe, expect, it } from 'vitest'
import { functionAddress } from '#api/function-call.ts'
import { addressOf, withAddress } from './address.ts'
import { curlOf, supabaseCodeOf } from './as-code.ts'
import { EventStream } from './event-stream.ts'
import { prettyJson } from './pretty-json.ts'
import { callOf, emptyRequest, findFault, isRequest, requestOf, type CallRequest } from './request.ts'
import { findRefusal, ownWords } from './refusal.ts'
import { fileNameOf, kindOf, readBody, type ReplyHead } from './reply.ts'
import { findSecrets, withoutSecrets } from './secrets.ts'

const request = (changes: Partial<CallRequest>): CallRequest => ({ ...emptyRequest, ...changes })
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'

describe('a request', () => {
  it('starts as the operator listed it', () => {
    expect(requestOf({ name: 'a', method: 'PUT', body: { ticket_id: 1 }, headers: { 'x-a': '1' } })).toMatchObject({ method: 'PUT', bodyKind: 'json', text: '{\n  "ticket_id": 1\n}', headers: [{ name: 'x-a', value: '1' }] })
    expect(requestOf({ name: 'a', method: 'GET' }).bodyKind).toBe('none')
    expect(requestOf(undefined)).toEqual(emptyRequest)
  })

  it.each([
    ['path', request({ path: '/../../auth/v1/user' })],
    ['path', request({ path: '/a/%2e%2E/b' })],
    ['path', request({ path: '/a?b=1' })],
    ['json', request({ text: '{ticket: 1}' })],
    ['header-name', request({ headers: [{ name: 'x y', value: '1' }] })],
    ['header-value', request({ headers: [{ name: 'x', value: '1\n2' }] })],
    ['header-forbidden', request({ headers: [{ name: 'Cookie', value: 'a=b' }] })],
    ['no-file', request({ bodyKind: 'file' })],
    ['form-name', request({ bodyKind: 'form', form: [{ name: '', value: 'x' }] })],
    [undefined, request({ method: 'GET', text: '{' })],
    [undefined, request({ path: 'a/b.c/d', text: '[1]' })],
  ])('with the fault %s is known before it is sent', (fault, given) => {
    expect(findFault(given, undefined)).toBe(fault)
  })

  it('never leaves its function, whatever its path says', () => {
    const at = (path: string) => functionAddress('https://a.example', { name: 'f', path, query: [], region: 'any' })
    expect(at('/../../rest/v1/x')).toBeUndefined()
    expect(at('/..')).toBeUndefined()
    expect(at('/more')?.pathname).toBe('/functions/v1/f/more')
  })

  it('names its region where the official client does', () => {
    expect(functionAddress('https://a.example', { name: 'f', path: '', query: [['a', '1'], ['a', '&']], region: 'eu-west-1' })?.href).toBe('https://a.example/functions/v1/f?a=1&a=%26&forceFunctionRegion=eu-west-1')
  })

  it('sends a body as what it is, and none with GET', () => {
    expect(callOf('f', request({ text: '{"a":1}' }), undefined)).toMatchObject({ body: '{"a":1}', contentType: 'application/json' })
    expect(callOf('f', request({ method: 'GET', text: '{"a":1}' }), undefined)).toMatchObject({ body: null, contentType: null })
    expect(callOf('f', request({ bodyKind: 'file' }), new File(['x'], 'a.png', { type: 'image/png' }))).toMatchObject({ contentType: 'image/png' })
    expect(callOf('f', request({ bodyKind: 'form', form: [{ name: 'a', value: '1' }] }), undefined).body).toBeInstanceOf(FormData)
  })

  it('goes into the page’s address and back, but for headers and body', () => {
    const given = request({ method: 'PATCH', path: '/x', query: [{ name: 'a', value: 'b c' }], as: 'public', region: 'eu-west-2', bodyKind: 'text', text: 'secret', headers: [{ name: 'x', value: 'y' }] })
    const parameters = new URLSearchParams(Object.entries(addressOf(given)).flatMap(([name, value]) => (value ? [[name, value]] : [])))
    expect(parameters.toString()).not.toMatch(/secret|y$/)
    expect(withAddress(emptyRequest, parameters)).toEqual({ ...given, text: '', headers: [] })
    expect(withAddress(emptyRequest, new URLSearchParams('method=BREW&region=mars&as=root&body=soup'))).toEqual(emptyRequest)
  })

  it('that was kept by something else is not taken', () => {
    expect(isRequest(emptyRequest)).toBe(true)
    expect(isRequest({ ...emptyRequest, query: [1] })).toBe(false)
    expect(isRequest(null)).toBe(false)
  })
})

describe('secrets', () => {
  const given = request({
    headers: [{ name: 'X-Api-Key', value: 'k-123' }, { name: 'x-note', value: `Bearer ${jwt}` }, { name: 'x-plain', value: 'kept' }],
    query: [{ name: 'access_token', value: 't-456' }],
    text: `{"user":"ada","password":"hunter2","nested":{"client_secret":"s-789"},"note":"${jwt}"}`,
  })
  const secrets = ['k-123', jwt, 't-456', 'hunter2', 's-789']

  it('are found by name and by look', () => {
    expect(findSecrets(given)).toEqual(['X-Api-Key', 'x-note', 'access_token', 'password', 'client_secret', 'eyJhbG'])
    expect(findSecrets(request({ text: '{"ticket_id":1}' }))).toEqual([])
  })

  it('are left out of an example while the rest stays', () => {
    const text = JSON.stringify(withoutSecrets(given))
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toContain('kept')
    expect(JSON.parse(withoutSecrets(given).text)).toMatchObject({ user: 'ada', password: '' })
  })

  it('stand neither in a command nor in code', () => {
    const facts = { projectUrl: 'https://a.example', name: 'f', request: given, fileName: undefined }
    for (const code of [curlOf(facts), supabaseCodeOf(facts)]) {
      for (const secret of secrets) expect(code).not.toContain(secret)
      expect(code).toContain('kept')
    }
  })
})

describe('copied', () => {
  const facts = { projectUrl: 'https://a.example', name: 'ticket-summary', fileName: undefined }

  it('as curl it can be pasted into a shell', () => {
    expect(curlOf({ ...facts, request: request({ text: `{"a":"it's"}` }) })).toBe(`curl --no-buffer -X POST 'https://a.example/functions/v1/ticket-summary' \\\n  -H "apikey: $PROJECT_KEY" \\\n  -H "Authorization: Bearer $ACCESS_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '{"a":"it'\\''s"}'`)
    expect(curlOf({ ...facts, request: request({ as: 'public', method: 'GET' }) })).not.toContain('Authorization')
  })

  it('as code it calls the official client', () => {
    expect(supabaseCodeOf({ ...facts, request: request({ text: '{"ticket_id": 1}' }) })).toBe('const { data, error } = await supabase.functions.invoke("ticket-summary", {\n  body: {"ticket_id": 1},\n})')
    expect(supabaseCodeOf({ ...facts, request: request({ text: '{"id": 12345678901234567890}' }) })).toContain('"Content-Type": "application/json"')
    expect(supabaseCodeOf({ ...facts, request: request({ bodyKind: 'form', form: [{ name: 'a', value: '1' }, { name: 'a', value: '2' }] }) })).toContain('[["a","1"],["a","2"]]')
    expect(supabaseCodeOf({ ...facts, request: request({ method: 'GET', path: 'x', query: [{ name: 'a', value: '1' }] }) })).toBe('const { data, error } = await supabase.functions.invoke("ticket-summary/x?a=1", {\n  method: "GET",\n})')
  })
})

describe('a reply', () => {
  it('of JSON is laid out with every number as it came', () => {
    expect(prettyJson('{"id":12345678901234567890,"a":[],"b":{},"c":[1,{"d":"x, y: [z]"}]}')).toBe('{\n  "id": 12345678901234567890,\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    {\n      "d": "x, y: [z]"\n    }\n  ]\n}')
    expect(prettyJson('"a \\" b"')).toBe('"a \\" b"')
    expect(prettyJson('{')).toBeUndefined()
  })

  it('of events is read whatever the pieces it comes in', () => {
    const text = ': hello\r\nevent: tick\r\ndata: 1\r\n\r\ndata: a\ndata:b\nid: 7\n\ndata\n\n'
    const whole = new EventStream().read(text, 5)
    expect(whole).toEqual([{ event: 'tick', data: '1', id: '', atMs: 5 }, { event: 'message', data: 'a\nb', id: '7', atMs: 5 }, { event: 'message', data: '', id: '7', atMs: 5 }])
    const stream = new EventStream()
    expect([...text].flatMap((piece) => stream.read(piece, 5))).toEqual(whole)
  })
})

describe('a refusal', () => {
  const head = (changes: Partial<ReplyHead>): ReplyHead => ({ status: 500, statusText: '', headers: [], contentType: 'application/json', kind: 'json', isRelay: false, firstByteMs: 1, redirectedTo: '', ...changes })
  it.each([
    [undefined, head({ status: 302 }), ''],
    ['boot', head({ status: 503 }), '{"code":"BOOT_ERROR","message":"Worker failed to boot (please check logs)"}'],
    ['worker', head({}), '{"code":"WORKER_ERROR","message":"Function exited due to an error"}'],
    ['limit', head({ status: 546 }), ''],
    ['limit', head({ status: 546 }), '{"code":"WORKER_RESOURCE_LIMIT"}'],
    ['worker', head({ headers: [['sb-error-code', 'EDGE_FUNCTION_ERROR']] }), 'Internal Server Error'],
    ['not-found', head({ status: 404 }), 'Function not found'],
    ['not-found', head({ status: 404 }), '{"code":"NOT_FOUND","message":"Requested function was not found"}'],
    ['unauthorized', head({ status: 401, isRelay: true }), '{"msg":"Invalid JWT"}'],
    ['unauthorized', head({ status: 401 }), '{"code":"UNAUTHORIZED_NO_AUTH_HEADER","message":"Missing authorization header"}'],
    ['absent', head({ status: 501 }), '{"message":"Deno is not installed"}'],
    ['timeout', head({ status: 504 }), ''],
    ['own', head({ status: 404 }), '{"error":"There is no ticket 5"}'],
    ['own', head({ status: 401 }), '{"error":"Not you"}'],
    ['own', head({ status: 503 }), 'busy'],
    ['busy', head({ status: 429, isRelay: true }), ''],
  ])('is told as %s', (refusal, given, text) => {
    expect(findRefusal(given, { text })).toBe(refusal)
  })

  it('is quoted where it says something in the usual places', () => {
    expect(ownWords('{"code":"X","msg":"hello"}')).toEqual({ code: 'X', message: 'hello' })
    expect(ownWords('null')).toEqual({ code: '', message: '' })
    expect(ownWords('<html>')).toEqual({ code: '', message: '' })
  })
})

describe('a body', () => {
  const read = async (chunks: Uint8Array<ArrayBuffer>[], type: string) => {
    const response = new Response(new ReadableStream({ start: (controller) => (chunks.forEach((chunk) => controller.enqueue(chunk)), controller.close()) }), { headers: { 'content-type': type } })
    return (await readBody(response, kindOf(type), { elapsed: () => 1, onProgress: () => {} })).body
  }

  it('of text is whole, wherever its letters were cut', async () => {
    const bytes = new TextEncoder().encode('Größe 日本')
    const body = await read([...bytes].map((byte) => Uint8Array.of(byte)), 'text/plain')
    expect(body).toMatchObject({ text: 'Größe 日本', sizeBytes: bytes.length, isCut: false })
    expect(await body.blob?.text()).toBe('Größe 日本')
    expect((await read([Uint8Array.of(0xe9)], 'text/plain; charset=iso-8859-1')).text).toBe('é')
  })

  it('too long to be shown is kept for the download', async () => {
    const body = await read(Array.from({ length: 6 }, () => new Uint8Array(1_000_000).fill(97)), 'text/plain')
    expect(body.isCut).toBe(true)
    expect(body.text.length).toBeLessThan(6_000_000)
    expect(body.blob?.size).toBe(6_000_000)
  })

  it('is saved under a name that leads nowhere else', () => {
    const named = (disposition: string) => fileNameOf({ headers: [['content-disposition', disposition]], contentType: 'text/csv' } as unknown as ReplyHead, 'export')
    expect(named('attachment; filename="a b.csv"')).toBe('a b.csv')
    expect(named('attachment; filename="../../etc/passwd"')).toBe('....etcpasswd')
    expect(named('inline')).toBe('export.csv')
  })
})
