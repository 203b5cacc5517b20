/** A message to a phone. */
export interface TextMessage {
  /** E.164 without `+`: `4915112345678`. */
  to: string
  message: string
  channel: 'sms' | 'whatsapp'
}

/** Takes a text message to a phone: the project's provider, or the local phone. */
export interface TextSender {
  /** Settles when the message is kept or taken over by the provider; rejects when it is not. */
  send(text: TextMessage): Promise<{ messageId?: string }>
}
