import type { ServiceError } from '#contract/service-error.ts'

import type { Auth } from './auth.ts'
import { authError } from './errors.ts'

/**
 * What a request for a text message is answered: phones are switched off, or no provider takes the message.
 *
 * @param words the hosted backend's for this endpoint while phones are off.
 */
export const messageRefusal = (auth: Auth, words = 'Phone logins are disabled'): ServiceError =>
  auth.settings.sms.enabled
    ? authError('sms_send_failed', { message: 'Error sending sms OTP to provider: no provider is configured' })
    : authError('phone_provider_disabled', { message: words })
