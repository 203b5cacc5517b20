import { postScript } from '#local-post/post-script.ts'

export const mailboxScript = `${postScript('/api/v1/version')}
let mails = []
let shown = ''

const chosen = () => decodeURIComponent(location.hash.slice(2))
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

function row(mail) {
  const link = made('a', { name: mail.Read ? '' : 'new' })
  link.href = '#/' + encodeURIComponent(mail.ID)
  if (mail.ID === chosen()) link.setAttribute('aria-current', 'true')
  if (!mail.Read) link.append(made('span', { name: 'hidden', words: 'Unread. ' }))
  link.append(made('span', { name: 'who', words: mail.To[0].Address }), madeTime(mail.Created, day), made('span', { name: 'what', words: mail.Subject }), made('span', { name: 'snippet', words: mail.Snippet }))
  const item = made('li')
  item.append(link)
  return item
}

function showNothing() {
  const nothing = at('nothing')
  nothing.hidden = mails.length > 0
  at('unread-state').hidden = chosen() !== '' || mails.length === 0
  if (mails.length > 0) return
  const search = at('search').value.trim()
  nothing.replaceChildren(
    made('h2', { words: search ? 'Nothing found' : 'No mail yet' }),
    made('p', { words: search ? 'No mail has “' + search + '” in it.' : 'Confirmations, sign-in links and invitations this project sends appear here. Nothing leaves this machine.' }),
  )
}

function showList() {
  const focused = document.activeElement && document.activeElement.getAttribute('href')
  at('mails').replaceChildren(...mails.map(row))
  if (focused && focused.startsWith('#/')) [...at('mails').querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus({ preventScroll: true })
  at('count').textContent = mails.length === 0 ? '' : mails.length === 1 ? '1 mail' : mails.length + ' mails'
  at('delete-all').hidden = mails.length === 0
  showNothing()
}

function showAs(kind) {
  at('html').hidden = kind !== 'html'
  at('text').hidden = kind !== 'text'
  at('as-html').setAttribute('aria-pressed', String(kind === 'html'))
  at('as-text').setAttribute('aria-pressed', String(kind === 'text'))
}

function showCode(text) {
  const code = /(?:^|[^\\d\\w/=%-])(\\d{6,10})(?![\\d\\w%-])/.exec(text)?.[1]
  const button = at('copy-code')
  button.hidden = !code
  button.textContent = code ? 'Copy ' + code : ''
  button.dataset.code = code ?? ''
}

async function showMail() {
  const id = chosen()
  document.body.classList.toggle('reads', id !== '')
  if (id === shown) return
  shown = id
  at('mail').hidden = id === ''
  at('unread-state').hidden = id !== ''
  if (id === '') return
  try {
    const mail = await (await ask('/api/v1/message/' + encodeURIComponent(id))).json()
    if (chosen() !== id) return
    at('subject').textContent = mail.Subject
    at('to').textContent = mail.To[0].Address
    at('from').textContent = mail.From.Name ? mail.From.Name + ' <' + mail.From.Address + '>' : mail.From.Address
    at('sent').textContent = exact.format(new Date(mail.Date))
    at('sent').dateTime = mail.Date
    at('html').src = '/view/' + encodeURIComponent(mail.ID) + '.html'
    at('open').href = '/view/' + encodeURIComponent(mail.ID) + '.html'
    at('text').textContent = mail.Text
    showCode(mail.Text)
    if (id === 'latest') history.replaceState(null, '', '#/' + mail.ID)
  } catch {
    shown = ''
    history.replaceState(null, '', '#/')
    at('mail').hidden = true
    at('unread-state').hidden = false
    document.body.classList.remove('reads')
  }
}

async function load() {
  const search = at('search').value.trim()
  const path = search ? '/api/v1/search?limit=500&query=' + encodeURIComponent(search) : '/api/v1/messages?limit=500'
  const { messages } = await (await ask(path)).json()
  const newest = mails[0]?.ID
  if (version !== '' && !search && messages[0] && newest !== messages[0].ID && !messages[0].Read) at('said').textContent = 'New mail: ' + messages[0].Subject
  mails = messages
  showList()
}

async function remove(ids) {
  await ask('/api/v1/messages', { method: 'DELETE', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ IDs: ids }) })
  await look()
}

async function removeChosen() {
  const id = chosen()
  const place = mails.findIndex((mail) => mail.ID === id)
  if (place < 0) return
  const next = mails[place + 1] ?? mails[place - 1]
  await remove([id])
  location.hash = next ? '#/' + encodeURIComponent(next.ID) : '#/'
}

function step(by) {
  const place = mails.findIndex((mail) => mail.ID === chosen())
  const next = mails[place < 0 ? 0 : Math.min(mails.length - 1, Math.max(0, place + by))]
  if (!next) return
  location.hash = '#/' + encodeURIComponent(next.ID)
}

function hearKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || at('confirm').open) return
  const isTyping = event.target.matches('input')
  if (event.key === 'Escape' && isTyping) event.target.blur()
  if (isTyping) return
  const act = { '/': () => at('search').focus(), j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1), Delete: removeChosen, Escape: () => { location.hash = '#/' } }[event.key]
  if (!act || (event.key.startsWith('Arrow') && event.target.closest('pre'))) return
  event.preventDefault()
  act()
}

async function confirmAll() {
  at('confirm-title').textContent = mails.length === 1 ? 'Delete 1 mail?' : 'Delete ' + mails.length + ' mails?'
  at('confirm').showModal()
}

at('confirm').addEventListener('close', async () => {
  if (at('confirm').returnValue !== 'delete') return
  await remove(mails.map((mail) => mail.ID))
  location.hash = '#/'
})
at('delete-all').addEventListener('click', confirmAll)
at('delete').addEventListener('click', removeChosen)
at('as-html').addEventListener('click', () => showAs('html'))
at('as-text').addEventListener('click', () => showAs('text'))
at('copy-code').addEventListener('click', () => copy(at('copy-code'), at('copy-code').dataset.code))
at('search').addEventListener('input', () => { load().catch(() => { at('offline').hidden = false }) })
addEventListener('keydown', hearKey)
addEventListener('hashchange', () => { showList(); showMail().then(look) })
showMail()
watch()
`
