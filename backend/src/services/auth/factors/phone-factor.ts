import { ServiceError } from '#contract/service-error.ts'
import { tokenHash } from '#services/auth/codes.ts'
import { authError } from '#services/auth/errors.ts'
import { fixedCode, readChannel, requireTextInterval, sendCode, textWith } from '#services/auth/texts.ts'

import type { Ask } from './challenge.ts'

/** Texts a code to the factor's phone; its hash is kept. A number with a fixed code is sent nothing. */
export const phoneQuestion: Ask = async (auth, { holder, factor, channel: given }) => {
  const { template, otpLength, maxFrequencySeconds } = auth.settings.factors.phone
  const channel = readChannel(auth, given)
  requireTextInterval(auth, factor.lastChallengedAt, maxFrequencySeconds)
  const phone = factor.phone ?? ''
  const fixed = fixedCode(auth, phone)
  const code = fixed ?? auth.random.code(otpLength)
  if (fixed === undefined) {
    auth.limits.spendText()
    try {
      await sendCode(auth, { user: holder.user, phone, code, channel, message: textWith(template, code), type: 'mfa' })
    } catch (error) {
      auth.logger.error('text could not be sent', { kind: 'mfa', error })
      if (error instanceof ServiceError) throw error
      throw authError('sms_send_failed', { message: 'Error sending message', cause: error })
    }
  }
  return { kept: { code: tokenHash(phone, code) } }
}
