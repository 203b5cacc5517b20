import type { Deliver } from './mail.ts'
import { answerMailApi } from './mailbox-api.ts'
import { mailboxPage } from './mailbox-page.ts'
import { mailboxScript } from './mailbox-script.ts'
import { mailboxStyle } from './mailbox-style.ts'
import { openMailStore, type MailStore, type MailStoreOptions, type StoredMail } from './mail-store.ts'

/** The box's own mailbox: what is sent ends here, to be read on a page and by tests. */
export interface Mailbox {
  deliver: Deliver
  /** Answers the mailbox's own listener. Loopback only: whoever reads it can sign in as anybody. */
  fetch(request: Request): Promise<Response>
  mails(): readonly StoredMail[]
}

// A page of another site can make a browser ask this address under its own name (DNS rebinding). The name tells.
const isOwnName = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host)

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

// A mail runs nothing and loads nothing; its links open beside the mailbox.
const bodyPolicy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const shared = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

const file = (body: string, type: string, policy: string): Response =>
  new Response(body, { headers: { ...shared, 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy } })

const refusal = (status: number, words: string): Response =>
  new Response(words, { status, headers: { ...shared, 'content-type': 'text/plain; charset=utf-8' } })

const withBase = (html: string): string => {
  const base = '<base target="_blank">'
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => head + base) : base + html
}

async function answerView(store: MailStore, url: URL): Promise<Response> {
  const [, name = '', kind = 'html'] = /^\/view\/([^./]+)\.(html|txt)$/.exec(url.pathname) ?? []
  const mail = name === 'latest' ? store.list()[0] : store.find(name)
  if (!mail) return refusal(404, 'No such mail')
  await store.setRead([mail.id], true)
  return kind === 'txt' ? file(mail.text, 'text/plain', bodyPolicy) : file(withBase(mail.html), 'text/html', bodyPolicy)
}

async function answer(store: MailStore, request: Request, hasTexts: boolean): Promise<Response> {
  const url = new URL(request.url)
  if (!isOwnName(request.headers.get('host') ?? url.host)) return refusal(421, 'This mailbox answers to its own address only')
  // Another site may not act here, even where the browser would let it without reading the answer.
  // Another port of this machine is another site here: what runs there is not the box.
  const isOtherSite = ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')
  if (isOtherSite && (request.method !== 'GET' || url.pathname.startsWith('/api/'))) return refusal(403, 'Not from another site')
  if (url.pathname.startsWith('/api/v1/')) {
    const answered = await answerMailApi(store, request, url)
    if (!answered) return refusal(404, 'No such endpoint')
    for (const [header, value] of Object.entries(shared)) answered.headers.set(header, value)
    return answered
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, 'Only reading')
  if (url.pathname === '/') return file(mailboxPage(hasTexts), 'text/html', pagePolicy)
  if (url.pathname === '/mailbox.css') return file(mailboxStyle, 'text/css', pagePolicy)
  if (url.pathname === '/mailbox.js') return file(mailboxScript, 'text/javascript', pagePolicy)
  if (url.pathname.startsWith('/view/')) return answerView(store, url)
  if (url.pathname === '/livez' || url.pathname === '/readyz') return file('ok', 'text/plain', pagePolicy)
  return refusal(404, 'Nothing here')
}

/**
 * Opens the mailbox of a data folder, with the mails of earlier runs.
 *
 * @param options `hasTexts`: its page leads to `/phone`, which somebody else answers.
 */
export async function createMailbox({ hasTexts = false, ...options }: MailStoreOptions & { hasTexts?: boolean } = {}): Promise<Mailbox> {
  const store = await openMailStore(options)
  return {
    deliver: async (mail) => {
      await store.add(mail)
    },
    fetch: (request) => answer(store, request, hasTexts),
    mails: () => store.list(),
  }
}
