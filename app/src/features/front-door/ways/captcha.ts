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

/** The check could not even begin, or ended without a token; the server was not asked. */
const failed = (message: string) => new AppError('invalid', message, { code: 'captcha_unavailable' })

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      reject(failed('the script was not loaded'))
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

/**
 * Gives a token of the operator's captcha. It shows itself only where it must ask the person something.
 *
 * @throws AppError `captcha_unavailable` when it is not loaded, fails, or the person closes it.
 */
export async function solveCaptcha(captcha: Captcha, placeId: string): Promise<string> {
  const widget = await widgetOf(captcha)
  const place = document.createElement('div')
  ;(document.getElementById(placeId) ?? document.body).append(place)
  let id: string | undefined
  try {
    return await new Promise<string>((resolve, reject) => {
      const refuse = (reason: unknown) => reject(failed(String(reason)))
      id = widget.render(place, {
        sitekey: captcha.siteKey,
        theme: getComputedStyle(document.documentElement).colorScheme.includes('dark') ? 'dark' : 'light',
        // hCaptcha runs unseen by its size, Turnstile by its appearance.
        ...(captcha.provider === 'hcaptcha' ? { size: 'invisible' } : { execution: 'execute', appearance: 'interaction-only' }),
        callback: resolve,
        'error-callback': refuse,
        'chalexpired-callback': refuse,
        'close-callback': refuse,
        'expired-callback': refuse,
        'timeout-callback': refuse,
        'unsupported-callback': refuse,
      })
      widget.execute(id)
    })
  } finally {
    if (id !== undefined) widget.remove(id)
    place.remove()
  }
}
