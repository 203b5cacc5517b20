import { postScript } from '#local-post/post-script.ts'

export const phoneScript = `${postScript('/phone/api/v1/version')}
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

function copyButton(code, id) {
  const button = made('button', { name: 'quiet code', words: 'Copy ' + code })
  button.type = 'button'
  button.dataset.of = id
  button.addEventListener('click', () => copy(button, code))
  return button
}

function row(text) {
  const item = made('li')
  const head = made('div', { name: 'head' })
  head.append(made('h2', { words: '+' + text.to }), made('span', { name: 'channel', words: text.channel === 'whatsapp' ? 'WhatsApp' : 'SMS' }), madeTime(text.receivedAt, day))
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

at('confirm').addEventListener('close', async () => {
  if (at('confirm').returnValue !== 'delete') return
  await ask('/phone/api/v1/messages', { method: 'DELETE' })
  await look()
})
at('delete-all').addEventListener('click', () => at('confirm').showModal())
watch()
`
