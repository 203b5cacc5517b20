import { useCallback } from 'react'
import { useLoadArea } from '#messages/messages.tsx'
import { useDoor } from './door-ways.ts'

/** Where a captcha that wants to be seen is drawn: on every page of the door. */
export const captchaPlace = 'door-captcha'

/** What a call to the auth service needs besides: a fresh captcha token where the operator has set one up. */
export type CaptchaOption = { captchaToken?: string }

/** Solves the captcha, unseen where it can, once for each call: a token is good for one. */
export function useCaptcha(): () => Promise<CaptchaOption> {
  const { captcha } = useDoor()
  const loadArea = useLoadArea()
  return useCallback(async () => {
    if (!captcha) return {}
    const [{ solveCaptcha }] = await Promise.all([import('./ways/captcha.ts'), loadArea('ways')])
    return { captchaToken: await solveCaptcha(captcha, captchaPlace) }
  }, [captcha, loadArea])
}
