/** The local phone page's script: plain, without a library, everything put in as text. */
export const phoneScript = `'use strict'
const at = (id) => document.getElementById(id)
const everyMs = 2000
let version = ''
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const isToday = (date) => date.toDateString() === new Date().toDateString()

async function ask(path, init) {
  const answer = await fetch(path, init)
  if (!answer.ok) throw new Error(String(answer.status))
  return answer
}

function made(tag, { name = '', words = '' } = {}) {
  const element = document.createElement(tag)
  if (name) element.className = name
  element.textContent = words
  return element
}

function copyButton(code, id) {
  const button = made('button', { name: 'quiet code', words: 'Copy ' + code })
  button.type = 'button'
  button.dataset.of = id
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code)
    button.textContent = 'Copied'
    at('said').textContent = 'Code copied'
  })
  return button
}

function row(text) {
  const item = made('li')
  const head = made('div', { name: 'head' })
  const sent = new Date(text.receivedAt)
  const time = made('time', { words: isToday(sent) ? clock.format(sent) : day.format(sent) })
  time.dateTime = text.receivedAt
  time.title = exact.format(sent)
  head.append(made('h2', { words: '+' + text.to }), made('span', { name: 'channel', words: text.channel === 'whatsapp' ? 'WhatsApp' : 'SMS' }), time)
  item.append(head, made('p', { name: 'words', words: text.message }))
  const code = /(?:^|\\D)(\\d{4,10})(?!\\d)/.exec(text.message)?.[1]
  if (code) item.append(copyButton(code, text.id))
  return item
}

async function load() {
  const { messages } = await (await ask('/phone/api/v1/messages')).json()
  const focused = document.activeElement?.dataset?.of
  at('texts').replaceChildren(...messages.map(row))
  if (focused) at('texts').querySelector('[data-of="' + CSS.escape(focused) + '"]')?.focus({ preventScroll: true })
  at('count').textContent = messages.length === 0 ? '' : messages.length === 1 ? '1 text' : messages.length + ' texts'
  at('delete-all').hidden = messages.length === 0
  at('nothing').hidden = messages.length > 0
}

async function look() {
  try {
    const now = (await (await ask('/phone/api/v1/version')).json()).version
    at('offline').hidden = true
    if (now === version) return
    await load()
    version = now
  } catch {
    at('offline').hidden = false
    version = ''
  }
}

async function watch() {
  if (!document.hidden) await look()
  setTimeout(watch, everyMs)
}

at('confirm').addEventListener('close', async () => {
  if (at('confirm').returnValue !== 'delete') return
  await ask('/phone/api/v1/messages', { method: 'DELETE' })
  await look()
})
at('delete-all').addEventListener('click', () => at('confirm').showModal())
document.addEventListener('visibilitychange', () => { if (!document.hidden) look() })
watch()
`
