import { isOtherSite, isOwnName, pagePolicy, postHeaders } from '#local-post/post-door.ts'

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

const policy = pagePolicy("frame-src 'self'")

// A mail runs nothing and loads nothing; its links open beside the mailbox.
const bodyPolicy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const file = (body: string, type: string, allowed = policy): Response =>
  new Response(body, { headers: { ...postHeaders, 'content-type': `${type}; charset=utf-8`, 'content-security-policy': allowed } })

const refusal = (status: number, words: string): Response =>
  new Response(words, { status, headers: { ...postHeaders, 'content-type': 'text/plain; charset=utf-8' } })

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
  if (!isOwnName(request, url)) return refusal(421, 'This mailbox answers to its own address only')
  if (isOtherSite(request) && (request.method !== 'GET' || url.pathname.startsWith('/api/'))) return refusal(403, 'Not from another site')
  if (url.pathname.startsWith('/api/v1/')) {
    const answered = await answerMailApi(store, request, url)
    if (!answered) return refusal(404, 'No such endpoint')
    for (const [header, value] of Object.entries(postHeaders)) answered.headers.set(header, value)
    return answered
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, 'Only reading')
  if (url.pathname === '/') return file(mailboxPage(hasTexts), 'text/html')
  if (url.pathname === '/mailbox.css') return file(mailboxStyle, 'text/css')
  if (url.pathname === '/mailbox.js') return file(mailboxScript, 'text/javascript')
  if (url.pathname.startsWith('/view/')) return answerView(store, url)
  if (url.pathname === '/livez' || url.pathname === '/readyz') return file('ok', 'text/plain')
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
