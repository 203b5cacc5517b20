import type { TextMessage, TextSender } from '#contract/text-sender.ts'

export type ProviderName = 'twilio' | 'twilio_verify' | 'messagebird' | 'textlocal' | 'vonage'

/** A provider as `[auth.sms.<name>]` describes it. */
export interface ProviderSettings {
  name: ProviderName
  /** The section's own names: `account_sid`, `auth_token`, `message_service_sid`, … */
  credentials: Readonly<Record<string, string>>
  /** Another address than the provider's own. Tests listen there. */
  endpoint?: string
}

/** What every provider of that name must be told; the others are told where they matter. */
const needs: Readonly<Record<ProviderName, readonly string[]>> = {
  twilio: ['account_sid', 'auth_token', 'message_service_sid'],
  twilio_verify: ['account_sid', 'auth_token', 'message_service_sid'],
  messagebird: ['access_key', 'originator'],
  textlocal: ['api_key', 'sender'],
  vonage: ['api_key', 'api_secret', 'from'],
}

/** Names what a provider's section lacks. */
export const missingCredentials = ({ name, credentials }: ProviderSettings): readonly string[] => needs[name].filter((key) => !credentials[key])

/** Longest wait for a provider, as on the hosted backend. */
const longestWaitMs = 10_000

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const firstOf = (value: unknown): Json => (Array.isArray(value) && isObject(value[0]) ? value[0] : {})

async function post(url: string, form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Promise<{ isOk: boolean; status: number; body: Json }> {
  const answer = await fetch(url, {
    method: 'POST',
    // What carries credentials goes where it was sent and nowhere else.
    redirect: 'error',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
    signal: AbortSignal.timeout(longestWaitMs),
  })
  const body: unknown = await answer.json().catch(() => undefined)
  if (!isObject(body)) throw new Error(`the provider answered ${answer.status} without JSON`)
  return { isOk: answer.status === 200 || answer.status === 201, status: answer.status, body }
}

const basic = (user: string, password: string) => ({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` })
const isNumber = (sender: string): boolean => /^\+?[1-9]\d{1,14}$/.test(sender.replaceAll(' ', ''))
const twilioFailure = (body: Json) => new Error(`${text(body.message)} More information: ${text(body.more_info)}`)

function twilioForm({ to, message, channel, code = '' }: TextMessage, credentials: ProviderSettings['credentials']): Record<string, string> {
  const { message_service_sid: sender = '', content_sid: contentSid = '' } = credentials
  if (channel === 'sms') return { To: `+${to}`, Channel: channel, From: sender, Body: message }
  const shared = { To: `whatsapp:+${to}`, Channel: channel, From: isNumber(sender) ? `whatsapp:${sender}` : sender }
  return contentSid === '' ? { ...shared, Body: message } : { ...shared, ContentSid: contentSid, ContentVariables: JSON.stringify({ 1: code }) }
}

function createTwilio({ credentials, endpoint = 'https://api.twilio.com' }: ProviderSettings): TextSender {
  const { account_sid: account = '', auth_token: token = '' } = credentials
  return {
    channels: ['sms', 'whatsapp'],
    async send(message) {
      const { isOk, body } = await post(`${endpoint}/2010-04-01/Accounts/${account}/Messages.json`, twilioForm(message, credentials), basic(account, token))
      if (!isOk) throw twilioFailure(body)
      const id = text(body.sid)
      if (body.status === 'failed' || body.status === 'undelivered') {
        throw new Error(`twilio error: ${text(body.error_message)} ${text(body.error_code)} for message ${id}`)
      }
      return { messageId: id }
    },
  }
}

// This provider makes up its own codes and is asked whether one is right.
function createTwilioVerify({ credentials, endpoint = 'https://verify.twilio.com' }: ProviderSettings): TextSender {
  const { account_sid: account = '', auth_token: token = '', message_service_sid: service = '' } = credentials
  const base = `${endpoint}/v2/Services/${service}`
  return {
    channels: ['sms', 'whatsapp'],
    async send({ to, channel }) {
      const { isOk, body } = await post(`${base}/Verifications`, { To: `+${to}`, Channel: channel }, basic(account, token))
      if (!isOk) throw twilioFailure(body)
      return { messageId: text(body.sid) }
    },
    async check({ to, code }) {
      const { isOk, body } = await post(`${base}/VerificationCheck`, { To: `+${to}`, Code: code }, basic(account, token))
      return isOk && body.status === 'approved' && body.valid === true
    },
  }
}

function createMessagebird({ credentials, endpoint = 'https://rest.messagebird.com' }: ProviderSettings): TextSender {
  return {
    channels: ['sms'],
    async send({ to, message }) {
      const form = { originator: credentials.originator ?? '', body: message, recipients: to, type: 'sms', datacoding: 'unicode' }
      const { status, body } = await post(`${endpoint}/messages`, form, { authorization: `AccessKey ${credentials.access_key ?? ''}` })
      if (status >= 400) throw new Error(text(firstOf(body.errors).description))
      const recipients = isObject(body.recipients) ? body.recipients : {}
      if (Number(recipients.totalSentCount ?? 0) === 0) throw new Error('messagebird error: total sent count is 0')
      return { messageId: text(body.id) }
    },
  }
}

function createTextlocal({ credentials, endpoint = 'https://api.textlocal.in' }: ProviderSettings): TextSender {
  return {
    channels: ['sms'],
    async send({ to, message }) {
      const { body } = await post(`${endpoint}/send`, { sender: credentials.sender ?? '', apikey: credentials.api_key ?? '', message, numbers: to })
      const id = text(firstOf(body.messages).id)
      const failure = firstOf(body.errors)
      if (body.status !== 'success') throw new Error(`textlocal error: ${text(failure.message)} (code: ${text(failure.code)}) message ${id}`)
      return { messageId: id }
    },
  }
}

function createVonage({ credentials, endpoint = 'https://rest.nexmo.com' }: ProviderSettings): TextSender {
  const { from = '', api_key: key = '', api_secret: secret = '' } = credentials
  return {
    channels: ['sms'],
    async send({ to, message }) {
      const form = { from, to, text: message, api_key: key, api_secret: secret, ...(/^\p{ASCII}*$/u.test(message) ? {} : { type: 'unicode' }) }
      const { body } = await post(`${endpoint}/sms/json`, form)
      const first = firstOf(body.messages)
      const id = text(first['message-id'])
      if (text(first.status) !== '0') throw new Error(`vonage error: ${text(first['error-text'])} (status: ${text(first.status)}) for message ${id}`)
      return { messageId: id }
    },
  }
}

const makers: Readonly<Record<ProviderName, (settings: ProviderSettings) => TextSender>> = {
  twilio: createTwilio,
  twilio_verify: createTwilioVerify,
  messagebird: createMessagebird,
  textlocal: createTextlocal,
  vonage: createVonage,
}

/**
 * Opens the way to a provider.
 *
 * @see supabase/auth internal/api/sms_provider
 */
export const createProvider = (settings: ProviderSettings): TextSender => makers[settings.name](settings)
