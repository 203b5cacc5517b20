/** One mailbox: an address and, if known, a name. */
export interface MailAddress {
  address: string
  name: string
}

/** A mail ready to be sent or kept. */
export interface Mail {
  from: MailAddress
  to: string
  subject: string
  html: string
  text: string
}

/** Sends a mail or keeps it. Rejects when neither worked. */
export type Deliver = (mail: Mail) => Promise<void>
