import type { Mail } from './mail.ts'
import type { MailStore, StoredMail } from './mail-store.ts'

const address = ({ name, address }: Mail['from']) => ({ Name: name, Address: address })

const sizeOf = (mail: StoredMail): number => Buffer.byteLength(mail.html) + Buffer.byteLength(mail.text)

// The first line is the heading, which the subject says as well.
const snippetOf = ({ text }: StoredMail): string => (text.includes('\n') ? text.slice(text.indexOf('\n')) : text).replace(/\s+/g, ' ').trim().slice(0, 250)

/** A mail in a list, in Mailpit's shape. */
function summary(mail: StoredMail) {
  return {
    ID: mail.id,
    MessageID: `${mail.id}@portico.local`,
    Read: mail.isRead,
    From: address(mail.from),
    To: [{ Name: '', Address: mail.to }],
    Cc: [],
    Bcc: [],
    ReplyTo: [],
    Subject: mail.subject,
    Created: mail.receivedAt,
    Username: '',
    Tags: [],
    Size: sizeOf(mail),
    Attachments: 0,
    Snippet: snippetOf(mail),
  }
}

/** A whole mail, in Mailpit's shape. */
function whole(mail: StoredMail) {
  return {
    ID: mail.id,
    MessageID: `${mail.id}@portico.local`,
    From: address(mail.from),
    To: [{ Name: '', Address: mail.to }],
    Cc: [],
    Bcc: [],
    ReplyTo: [],
    ReturnPath: mail.from.address,
    Subject: mail.subject,
    ListUnsubscribe: { Header: '', Links: [], Errors: '', HeaderPost: '' },
    Date: mail.receivedAt,
    Tags: [],
    Username: '',
    Text: mail.text,
    HTML: mail.html,
    Size: sizeOf(mail),
    Inline: [],
    Attachments: [],
  }
}

function headersOf(mail: StoredMail): Record<string, string[]> {
  return {
    Date: [new Date(mail.receivedAt).toUTCString()],
    From: [mail.from.name === '' ? mail.from.address : `"${mail.from.name.replaceAll('"', '')}" <${mail.from.address}>`],
    'Message-Id': [`<${mail.id}@portico.local>`],
    Subject: [mail.subject],
    To: [mail.to],
  }
}

/** The words of a search: `to:ada@example.com subject:"your link" rest`. Each must be found. */
export function matchesSearch(mail: StoredMail, search: string): boolean {
  const words = search.match(/(?:[a-z-]+:)?"[^"]*"|\S+/gi) ?? []
  return words.every((word) => {
    const [, field = '', text = ''] = /^(?:(to|from|addressed|subject|is|message-id):)?"?([^"]*)"?$/i.exec(word) ?? [undefined, '', word]
    const wanted = text.toLowerCase()
    const has = (...texts: string[]): boolean => texts.some((one) => one.toLowerCase().includes(wanted))
    switch (field.toLowerCase()) {
      case 'to': return has(mail.to)
      case 'from': return has(mail.from.address, mail.from.name)
      case 'addressed': return has(mail.to, mail.from.address)
      case 'subject': return has(mail.subject)
      case 'message-id': return has(mail.id)
      case 'is': return wanted === 'read' ? mail.isRead : wanted === 'unread' ? !mail.isRead : true
      default: return has(mail.to, mail.from.address, mail.subject, mail.text)
    }
  })
}

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

const ok = (): Response => new Response('ok', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
const missing = (): Response => json({ Error: 'message not found' }, 404)

const readCount = (query: URLSearchParams, name: string, fallback: number): number => {
  const given = Number(query.get(name) ?? fallback)
  return Number.isInteger(given) && given >= 0 ? given : fallback
}

function listing(store: MailStore, query: URLSearchParams, found: readonly StoredMail[]): Response {
  const [start, limit] = [readCount(query, 'start', 0), readCount(query, 'limit', 50)]
  const all = store.list()
  const unread = all.filter((mail) => !mail.isRead).length
  return json({
    total: all.length,
    unread,
    count: Math.min(limit, Math.max(0, found.length - start)),
    messages_count: found.length,
    messages_unread: found.filter((mail) => !mail.isRead).length,
    start,
    tags: [],
    messages: found.slice(start, start + limit).map(summary),
  })
}

async function readIds(request: Request): Promise<{ ids: readonly string[] | undefined; isRead: boolean }> {
  const body: unknown = await request.json().catch(() => ({}))
  const { IDs: ids, Read: isRead } = (typeof body === 'object' && body !== null ? body : {}) as { IDs?: unknown; Read?: unknown }
  return { ids: Array.isArray(ids) && ids.length > 0 ? ids.map(String) : undefined, isRead: isRead === true }
}

const allIds = (store: MailStore): string[] => store.list().map(({ id }) => id)

async function answerCollection(store: MailStore, request: Request, url: URL): Promise<Response> {
  if (request.method === 'GET') return listing(store, url.searchParams, store.list())
  const { ids, isRead } = await readIds(request)
  if (request.method === 'DELETE') await store.remove(ids ?? allIds(store))
  else await store.setRead(ids ?? allIds(store), isRead)
  return ok()
}

async function answerSearch(store: MailStore, request: Request, url: URL): Promise<Response> {
  const found = store.list().filter((mail) => matchesSearch(mail, url.searchParams.get('query') ?? ''))
  if (request.method === 'GET') return listing(store, url.searchParams, found)
  await store.remove(found.map(({ id }) => id))
  return ok()
}

async function answerMessage(store: MailStore, [name = '', part]: readonly string[]): Promise<Response> {
  const mail = name === 'latest' ? store.list()[0] : store.find(name)
  if (!mail) return missing()
  if (part === 'headers') return json(headersOf(mail))
  if (part === 'raw') return new Response(rawMail(mail), { headers: { 'content-type': 'text/plain; charset=utf-8' } })
  if (part !== undefined) return missing()
  await store.setRead([mail.id], true)
  return json(whole(mail))
}

const base64Lines = (text: string): string => (Buffer.from(text).toString('base64').match(/.{1,76}/g) ?? []).join('\r\n')

/** A mail as it would travel. */
export function rawMail(mail: StoredMail): string {
  const boundary = `portico-${mail.id}`
  const head = Object.entries(headersOf(mail)).map(([name, [value = '']]) => `${name}: ${encodeHeader(value)}`)
  const part = (type: string, text: string) => [`--${boundary}`, `Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: base64', '', base64Lines(text)]
  return [
    ...head,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    ...part('text/plain', mail.text),
    ...part('text/html', mail.html),
    `--${boundary}--`,
    '',
  ].join('\r\n')
}

const encodeHeader = (value: string): string => (/^[\u0020-\u007e]*$/.test(value) ? value : `=?utf-8?B?${Buffer.from(value).toString('base64')}?=`)

// The older development tools of hosted projects had a mailbox per address; their test helpers still ask for it.
function answerInbucket(store: MailStore, [box = '', id]: readonly string[]): Response {
  const isOfBox = (mail: StoredMail): boolean => mail.to === box || mail.to.split('@')[0] === box
  const short = (mail: StoredMail) => ({ mailbox: box, id: mail.id, from: mail.from.address, to: [mail.to], subject: mail.subject, date: mail.receivedAt, size: sizeOf(mail) })
  const mails = store.list().filter(isOfBox)
  if (id === undefined) return json(mails.toReversed().map(short))
  const mail = id === 'latest' ? mails[0] : mails.find((one) => one.id === id)
  return mail ? json({ ...short(mail), header: headersOf(mail), body: { text: mail.text, html: mail.html } }) : missing()
}

// What is no encoded text names no mail.
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Answers below `/api/v1`, in the shapes of Mailpit and, for `mailbox/…`, of Inbucket, which test helpers of hosted
 * projects ask. Undefined: no such endpoint.
 *
 * @see https://mailpit.axllent.org/docs/api-v1/
 */
export function answerMailApi(store: MailStore, request: Request, url: URL): Promise<Response> | undefined {
  const [family, ...rest] = url.pathname.slice('/api/v1/'.length).split('/').map(decode)
  const { method } = request
  if (family === 'messages' && ['GET', 'PUT', 'DELETE'].includes(method)) return answerCollection(store, request, url)
  if (family === 'search' && ['GET', 'DELETE'].includes(method)) return answerSearch(store, request, url)
  if (family === 'message' && method === 'GET') return answerMessage(store, rest)
  if (family === 'mailbox' && method === 'GET') return Promise.resolve(answerInbucket(store, rest))
  if (family === 'info' && method === 'GET') return Promise.resolve(json({ Version: 'portico', Messages: store.list().length, Unread: store.list().filter((mail) => !mail.isRead).length }))
  if (family === 'version' && method === 'GET') return Promise.resolve(json({ version: store.version() }))
  return undefined
}
