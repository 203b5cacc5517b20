import { AppError } from '#api/app-error.ts'
import type { Door } from '#door.ts'

type Captcha = NonNullable<Door['captcha']>

/** What both widgets offer under their own names. @see https://docs.hcaptcha.com/configuration @see https://developers.cloudflare.com/turnstile/get-started/client-side-rendering */
interface Widget {
  render: (place: HTMLElement, options: Record<string, unknown>) => string
  execute: (id: string) => unknown
  remove: (id: string) => void
}

const scripts = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
}
const patienceMs = 20_000
const loading = new Map<string, Promise<Widget>>()

/** The check could not even begin; the server was not asked. */
const failed = (message: string) => new AppError('invalid', message, { code: 'captcha_unavailable' })

/** It was there, and was closed, or left until it had expired. */
const unfinished = (message: string) => new AppError('invalid', message, { code: 'captcha_unfinished' })

/** hCaptcha's own words for the same, given to `error-callback`. */
const left = new Set(['challenge-closed', 'challenge-expired'])

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      script.remove()
      reject(failed('the script was not loaded'))
    }
    const timer = setTimeout(fail, patienceMs)
    script.src = address
    script.async = true
    script.addEventListener('load', () => {
      clearTimeout(timer)
      resolve()
    })
    script.addEventListener('error', () => {
      clearTimeout(timer)
      fail()
    })
    document.head.append(script)
  })
}

async function loadWidget({ provider, script }: Captcha): Promise<Widget> {
  await loadScript(script ?? scripts[provider])
  const until = Date.now() + patienceMs
  for (;;) {
    const widget = (window as unknown as Record<string, Widget | undefined>)[provider]
    if (typeof widget?.render === 'function') return widget
    if (Date.now() > until) throw failed('the script has brought no widget')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The widget's script, loaded once; a failed one is loaded again. */
function widgetOf(captcha: Captcha): Promise<Widget> {
  const known = loading.get(captcha.provider)
  if (known) return known
  const load = loadWidget(captcha)
  loading.set(captcha.provider, load)
  load.catch(() => loading.delete(captcha.provider))
  return load
}

/** What both are told of the page they stand on. */
function looks({ provider, siteKey }: Captcha): Record<string, unknown> {
  const { dataset, lang } = document.documentElement
  const isDark = dataset['theme'] === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : dataset['theme'] === 'dark'
  const shared = { sitekey: siteKey, theme: isDark ? 'dark' : 'light' }
  // hCaptcha runs unseen by its size, Turnstile by its appearance.
  if (provider === 'hcaptcha') return { ...shared, size: 'invisible', hl: lang }
  // Turnstile's wider form needs 300 px.
  return { ...shared, execution: 'execute', appearance: 'interaction-only', size: innerWidth < 360 ? 'compact' : 'flexible', language: lang }
}

/** Runs the widget once in `place`; it must answer, or show its question, while one is willing to wait. */
function runOnce(widget: Widget, captcha: Captcha, { place, onMade }: { place: HTMLElement; onMade: (id: string) => void }): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failed('the widget does not answer')), patienceMs)
    const asks = () => clearTimeout(timer)
    const fail = (reason: unknown) => reject(left.has(String(reason)) ? unfinished(String(reason)) : failed(String(reason)))
    const leave = (what: string) => () => reject(unfinished(what))
    try {
      const id = widget.render(place, {
        ...looks(captcha),
        callback: resolve,
        'open-callback': asks,
        'before-interactive-callback': asks,
        'error-callback': fail,
        'unsupported-callback': fail,
        'chalexpired-callback': leave('challenge-expired'),
        'close-callback': leave('challenge-closed'),
        'expired-callback': leave('token-expired'),
        'timeout-callback': leave('challenge-expired'),
      })
      onMade(id)
      widget.execute(id)
    } catch (cause) {
      fail(cause)
    }
  })
}

/**
 * Gives a token of the operator's captcha. It shows itself only where it must ask the person something.
 *
 * @throws AppError `captcha_unavailable` when it is not loaded or fails, `captcha_unfinished` when the person closes it or takes too long.
 */
export async function solveCaptcha(captcha: Captcha, placeId: string): Promise<string> {
  const widget = await widgetOf(captcha)
  const place = document.createElement('div')
  ;(document.getElementById(placeId) ?? document.body).append(place)
  let id: string | undefined
  try {
    return await runOnce(widget, captcha, { place, onMade: (made) => (id = made) })
  } finally {
    // A token is good for one call: the next one is asked of a new widget.
    if (id !== undefined) widget.remove(id)
    place.remove()
  }
}
