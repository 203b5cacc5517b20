import { ServiceError } from '#contract/service-error.ts'
import type { Transaction } from '#database/database.ts'
import { tokenHash } from '#services/auth/codes.ts'
import { authError } from '#services/auth/errors.ts'
import { fixedCode, readChannel, requireTextInterval, sendCode, textWith } from '#services/auth/texts.ts'

import type { Ask } from './challenge.ts'
import { noteAsked } from './challenges.queries.ts'
import { lockFactor } from './enrolled-factors.queries.ts'
import { inOwnMoment } from './own-moment.ts'

/** Texts a code to the factor's phone; its hash is kept. A number with a fixed code is sent nothing. */
export const phoneQuestion: Ask = async (auth, { holder, factor, channel: given }) => {
  const { template, otpLength, maxFrequencySeconds } = auth.settings.factors.phone
  const channel = readChannel(auth, given)
  const { id } = factor
  // Noted before the text leaves: of many who ask at once, one is sent one.
  const reserve = async (tx: Transaction) => {
    const fresh = await lockFactor(tx, factor.userId, id)
    requireTextInterval(auth, fresh?.lastChallengedAt ?? null, maxFrequencySeconds)
    await noteAsked(tx, id, auth.now())
  }
  await inOwnMoment(() => auth.transact(reserve))
  const phone = factor.phone ?? ''
  const fixed = fixedCode(auth, phone)
  const code = fixed ?? auth.random.code(otpLength)
  if (fixed === undefined) {
    try {
      auth.limits.spendText()
      await sendCode(auth, { user: holder.user, phone, code, channel, message: textWith(template, code), type: 'mfa' })
    } catch (error) {
      await inOwnMoment(() => auth.transact((tx) => noteAsked(tx, id, factor.lastChallengedAt)))
      auth.logger.error('text could not be sent', { kind: 'mfa', error })
      if (error instanceof ServiceError) throw error
      throw authError('sms_send_failed', { message: 'Error sending message', cause: error })
    }
  }
  return { kept: { code: tokenHash(phone, code) } }
}
