/**
 * What the scripts of the local post's pages begin with: plain, without a library, everything put in as text. The page's own script
 * says `load()` and ends with `watch()`.
 *
 * @param versionPath where `{ version }` is answered, which changes with everything that is kept: `/api/v1/version`.
 */
export const postScript = (versionPath: string): string => `'use strict'
const at = (id) => document.getElementById(id)
const everyMs = 2000
let version = ''

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
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

function madeTime(moment, day) {
  const sent = new Date(moment)
  const time = made('time', { words: isToday(sent) ? clock.format(sent) : day.format(sent) })
  time.dateTime = moment
  time.title = exact.format(sent)
  return time
}

async function copy(button, code) {
  await navigator.clipboard.writeText(code)
  button.textContent = 'Copied'
  at('said').textContent = 'Code copied'
}

async function look() {
  try {
    const now = (await (await ask('${versionPath}')).json()).version
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

document.addEventListener('visibilitychange', () => { if (!document.hidden) look() })
`
