import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the widget does when it is run: at once, after a question on the page, or not at all. */
export type Mood = 'solves' | 'asks' | 'guesses' | 'expires' | 'closes' | 'fails'

export interface CaptchaProvider {
  /** The widget's script, for `door.captcha.script`. */
  script: string
  origin: string
  /** Where tokens are checked, for `PORTICO_CAPTCHA_URL`. */
  verifyUrl: string
  /** Every form the auth service has sent, newest last. */
  asked: Record<string, string>[]
  /** The checking answers with this status in place of a verdict. */
  brokenWith: number | undefined
  close(): Promise<void>
}

const secret = 'the captcha secret'

/** Both providers' words, as their documents give them; `window.captchaMood` says what a run ends in. */
const widget = (name: string) => `(() => {
  const made = new Map()
  let count = 0
  const token = (kind) => kind + '-' + ${JSON.stringify(name)} + '-' + crypto.randomUUID()
  window.captchaSeen = []
  window[${JSON.stringify(name)}] = {
    render(place, options) {
      const id = 'w' + ++count
      made.set(id, { place, options })
      window.captchaSeen.push({ sitekey: options.sitekey, theme: options.theme, language: options.hl ?? options.language })
      return id
    },
    execute(id) {
      const { place, options } = made.get(id)
      const call = (name, value) => setTimeout(() => options[name]?.(value), 10)
      const asks = () => (options['open-callback'] ?? options['before-interactive-callback'])()
      switch (window.captchaMood ?? 'solves') {
        case 'solves': return call('callback', token('solved'))
        case 'guesses': return call('callback', token('guessed'))
        case 'expires': asks(); return call('chalexpired-callback')
        case 'closes': asks(); return call('close-callback')
        case 'fails': return call('error-callback', 'network-error')
        case 'asks': {
          asks()
          const button = document.createElement('button')
          button.type = 'button'
          button.textContent = 'I am a person'
          button.addEventListener('click', () => options.callback(token('solved')))
          place.append(button)
        }
      }
    },
    remove(id) { made.get(id).place.replaceChildren(); made.delete(id) },
  }
})()`

/** A captcha provider on this machine: a widget that does as it is told, and a check that takes each token once. */
export async function openCaptchaProvider(): Promise<CaptchaProvider> {
  const used = new Set<string>()
  const server = createServer((request, response) => {
    const name = /^\/(hcaptcha|turnstile)\.js/.exec(request.url ?? '')?.[1]
    if (name) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(widget(name))
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(text))
      provider.asked.push(form)
      const token = form['response'] ?? ''
      const codes = [...(form['secret'] === secret ? [] : ['invalid-input-secret']), ...(token.startsWith('solved-') ? [] : ['invalid-input-response']), ...(used.has(token) ? ['timeout-or-duplicate'] : [])]
      used.add(token)
      response.writeHead(provider.brokenWith ?? 200, { 'content-type': 'application/json' }).end(provider.brokenWith ? 'no' : JSON.stringify({ success: codes.length === 0, 'error-codes': codes }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: CaptchaProvider = {
    script: `${origin}/`,
    origin,
    verifyUrl: `${origin}/siteverify`,
    asked: [],
    brokenWith: undefined,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
  return provider
}
