import type { TextSender } from '#contract/text-sender.ts'
import { isOtherSite, isOwnName, pagePolicy, postHeaders } from '#local-post/post-door.ts'

import { phonePage } from './phone-page.ts'
import { phoneScript } from './phone-script.ts'
import { phoneStyle } from './phone-style.ts'
import { openPhoneStore, type PhoneStore, type PhoneStoreOptions, type StoredText } from './phone-store.ts'

/** The box's own phone: texts to any number end here, to be read on a page and by tests. */
export interface LocalPhone {
  sender: TextSender
  /** Answers below `/phone` of the mailbox's own listener. Loopback only: whoever reads it can sign in as anybody. */
  fetch(request: Request): Promise<Response>
  texts(): readonly StoredText[]
}

const headers = { ...postHeaders, 'content-security-policy': pagePolicy() }

const file = (body: string, type: string, status = 200): Response =>
  new Response(body, { status, headers: { ...headers, 'content-type': `${type}; charset=utf-8` } })

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...headers, 'content-type': 'application/json' } })

const digitsOf = (number: string): string => number.replace(/\D/g, '')

function textsTo(store: PhoneStore, url: URL): readonly StoredText[] {
  const to = digitsOf(url.searchParams.get('to') ?? '')
  return to === '' ? store.list() : store.list().filter((text) => text.to === to)
}

async function answerApi(store: PhoneStore, request: Request, url: URL): Promise<Response> {
  const path = url.pathname.slice('/phone/api/v1'.length)
  if (path === '/messages' && request.method === 'DELETE') {
    await store.clear()
    return json({})
  }
  if (request.method !== 'GET') return json({ error: 'Method not allowed' }, 405)
  if (path === '/messages') return json({ messages: textsTo(store, url) })
  if (path === '/version') return json({ version: store.version() })
  const [, id = ''] = /^\/message\/([\w-]+)$/.exec(path) ?? []
  const text = id === 'latest' ? textsTo(store, url)[0] : store.list().find((one) => one.id === id)
  return text ? json(text) : json({ error: 'No such text' }, 404)
}

async function answer(store: PhoneStore, request: Request): Promise<Response> {
  const url = new URL(request.url)
  if (!isOwnName(request, url)) return file('This phone answers to its own address only', 'text/plain', 421)
  const isApi = url.pathname.startsWith('/phone/api/v1/')
  if (isOtherSite(request) && (request.method !== 'GET' || isApi)) return file('Not from another site', 'text/plain', 403)
  if (isApi) return answerApi(store, request, url)
  if (request.method !== 'GET' && request.method !== 'HEAD') return file('Only reading', 'text/plain', 405)
  if (url.pathname === '/phone') return file(phonePage, 'text/html')
  if (url.pathname === '/phone/phone.css') return file(phoneStyle, 'text/css')
  if (url.pathname === '/phone/phone.js') return file(phoneScript, 'text/javascript')
  return file('Nothing here', 'text/plain', 404)
}

/** Opens the phone of a data folder, with the texts of earlier runs. It takes every channel. */
export async function createLocalPhone(options: PhoneStoreOptions = {}): Promise<LocalPhone> {
  const store = await openPhoneStore(options)
  return {
    sender: {
      channels: ['sms', 'whatsapp'],
      send: async (text) => ({ messageId: (await store.add(text)).id }),
    },
    fetch: (request) => answer(store, request),
    texts: () => store.list(),
  }
}
