import { z } from 'zod'

// As the hosted backend reads JSON: null and a missing member are the empty value.
const text = z.string().nullish().transform((given) => given ?? '')
const flag = z.boolean().nullish().transform((given) => given ?? false)
const optionalText = z.string().nullish().transform((given) => given ?? undefined)
const bag = z.record(z.string(), z.unknown()).nullish().transform((given) => given ?? undefined)

const challenge = { code_challenge: text, code_challenge_method: text }

export const signUpBody = z.object({ email: text, phone: text, password: text, data: bag, channel: text, ...challenge })
export const passwordGrantBody = z.object({ email: text, phone: text, password: text })
export const refreshGrantBody = z.object({ refresh_token: text })
export const pkceGrantBody = z.object({ auth_code: text, code_verifier: text })
export const otpBody = z.object({
  email: text,
  phone: text,
  channel: text,
  data: bag,
  create_user: z.boolean().nullish().transform((given) => given ?? true),
  ...challenge,
})
export const recoverBody = z.object({ email: text, ...challenge })
export const resendBody = z.object({ type: text, email: text, phone: text, ...challenge })
export const verifyBody = z.object({ type: text, token: text, token_hash: text, email: text, phone: text, redirect_to: text })
export const userUpdateBody = z.object({
  email: text,
  phone: text,
  channel: text,
  password: optionalText,
  current_password: optionalText,
  nonce: text,
  data: bag,
  app_metadata: bag,
  ...challenge,
})
export const inviteBody = z.object({ email: text, data: bag })
export const adminUserBody = z.object({
  id: text,
  aud: text,
  role: text,
  email: text,
  phone: text,
  password: optionalText,
  password_hash: text,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: bag,
  app_metadata: bag,
  ban_duration: text,
})
export const adminDeleteBody = z.object({ should_soft_delete: flag })
export const generateLinkBody = z.object({ type: text, email: text, new_email: text, password: text, data: bag, redirect_to: text })
