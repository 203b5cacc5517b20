/** How a text travels. */
export type TextChannel = 'sms' | 'whatsapp'

/** A text message to be sent. */
export interface TextMessage {
  /** The number, digits alone: `4915112345678`. */
  to: string
  message: string
  channel: TextChannel
  /** The code the message holds, for providers that put it into words of their own. */
  code?: string
}

/** Sends text messages, or keeps them on the local phone. */
export interface TextSender {
  /** The ways this sender knows; left out, SMS only. */
  channels?: readonly TextChannel[]
  /**
   * Settles with the message's id at the provider when it is taken over.
   *
   * @throws Error with the provider's own words.
   */
  send(text: TextMessage): Promise<{ messageId?: string }>
  /** Only where the provider makes the codes up itself: whether a code is the one it sent. */
  check?(asked: { to: string; code: string }): Promise<boolean>
}
