import { useEffect } from 'react'
import type { AppError } from '#api/app-error.ts'
import type { Client } from '#api/client.ts'
import { toAppError } from '#api/unwrap.ts'
import { useDoorMemory } from '#session/door-memory.ts'
import { noteNoPasskeys } from '#session/passkey-place.ts'
import { useClient } from '#session/session.tsx'
import { useDoor } from '#features/front-door/door-ways.ts'

/** The official client's own codes. @see @supabase/auth-js `lib/webauthn.errors.ts` */
const unused = new Set(['ERROR_CEREMONY_ABORTED', 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY'])

/** Passkeys are bound to an origin; this one is none of the project's. */
export const isWrongOrigin = (error: AppError): boolean => error.code === 'ERROR_INVALID_DOMAIN' || error.code === 'ERROR_INVALID_RP_ID' || causeOf(error) === 'SecurityError'

/** The person closed the browser's question, or had no passkey to choose. */
export const isPasskeyUnused = (error: AppError): boolean => unused.has(error.code) || causeOf(error) === 'NotAllowedError' || causeOf(error) === 'AbortError'

function causeOf(error: AppError): string {
  let cause: unknown = error.cause
  for (let depth = 0; depth < 3; depth++) {
    if (typeof cause !== 'object' || cause === null) return ''
    const { name, cause: next } = cause as { name?: unknown; cause?: unknown }
    if (name === 'NotAllowedError' || name === 'AbortError' || name === 'SecurityError') return name
    cause = next
  }
  return ''
}

/** The browser refuses this origin: the button would only fail again. */
export function noteWrongOrigin(error: AppError): void {
  if (isWrongOrigin(error)) noteNoPasskeys()
}

/** The server's challenge lives five minutes, the browser's offer for ever: it is made anew before that. */
const renewMs = 4 * 60_000
const pauseMs = 1000
/** Nobody declines an offer sooner. */
const seenMs = 5000

/** Makes one offer, until it is taken, the challenge grows old, or the page is left. */
async function offerOnce(auth: Client['auth'], leaving: AbortSignal): Promise<'in' | 'over' | 'refused'> {
  const round = new AbortController()
  const end = () => round.abort()
  current = end
  leaving.addEventListener('abort', end)
  const timer = setTimeout(end, renewMs)
  const begunAt = Date.now()
  const { error } = await auth.signInWithPasskey({ options: { mediation: 'conditional', signal: round.signal } }).catch((error: unknown) => ({ error }))
  clearTimeout(timer)
  leaving.removeEventListener('abort', end)
  if (!error) return 'in'
  const failure = toAppError(error)
  noteWrongOrigin(failure)
  // Anything but the end of a round says that it will not work here; the button can still tell why.
  const isDeclined = isPasskeyUnused(failure) && Date.now() - begunAt > seenMs
  return round.signal.aborted || isDeclined ? 'over' : 'refused'
}

/**
 * Lets the browser offer its passkeys in the address field. Ended while the button asks, and where a captcha would have
 * to be solved before the person has done anything.
 */
export function usePasskeyAutofill(isOn: boolean): void {
  const { auth } = useClient()
  const { captcha } = useDoor()
  const { lastWay } = useDoorMemory()
  const isWanted = isOn && captcha === undefined
  useEffect(() => {
    if (!isWanted) return
    const leaving = new AbortController()
    const offer = async (): Promise<void> => {
      if (leaving.signal.aborted || isAsking) return
      const verdict = await offerOnce(auth, leaving.signal)
      if (verdict === 'in') {
        lastWay.begin('passkey')
        return lastWay.confirm()
      }
      if (verdict === 'refused') return
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      return offer()
    }
    const begin = async () => {
      // Where the question is missing, so is what it asks about.
      if (await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false)) await offer()
    }
    void begin()
    return () => leaving.abort()
  }, [isWanted, auth, lastWay])
}

let current = () => {}
let isAsking = false

/** Runs what asks for a passkey itself: a browser takes one such question at a time. */
export async function askingAlone<T>(ask: () => Promise<T>): Promise<T> {
  isAsking = true
  current()
  try {
    return await ask()
  } finally {
    isAsking = false
  }
}
