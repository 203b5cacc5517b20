import { join } from 'node:path'
import type { Clock } from '#contract/clock.ts'
import type { Mailer } from '#contract/mailer.ts'
import type { AuthSettings } from '#services/auth/settings.ts'
import type { MailAddress } from '#services/mail/mail.ts'
import { createMailbox, type Mailbox } from '#services/mail/mailbox.ts'
import { createMailer, templateFaults } from '#services/mail/mailer.ts'

/** Where the box's mail goes: to the project's mail server, or into the local mailbox. */
export interface Post {
  mailer: Mailer
  /** Left out while a mail server takes the mail. */
  mailbox?: Mailbox
  /** A sentence each about the project's templates. */
  warnings: readonly string[]
  close(): void
}

export interface PostOptions {
  email: AuthSettings['email']
  /** Left out: mails are kept in memory. */
  dataFolder: string | undefined
  clock: Clock
}

const boxAddress: MailAddress = { address: 'no-reply@portico.local', name: 'Portico' }

/** Opens the way mail takes. */
export async function openPost({ email, dataFolder, clock }: PostOptions): Promise<Post> {
  const { smtp, templates } = email
  const warnings = templateFaults(templates).map(({ kind, fault }) => `The mail template "${kind}" has a fault: ${fault}`)
  if (smtp) {
    // Most boxes never speak to a mail server: what can is read only then.
    const { createSmtpDelivery } = await import('#services/mail/smtp.ts')
    const { deliver, close } = createSmtpDelivery(smtp)
    const from = { address: smtp.adminEmail, name: smtp.senderName ?? '' }
    return { mailer: createMailer({ from, templates, deliver }), warnings, close }
  }
  const mailbox = await createMailbox({ now: () => clock.now(), ...(dataFolder === undefined ? {} : { folder: join(dataFolder, 'mail') }) })
  return { mailer: createMailer({ from: boxAddress, templates, deliver: mailbox.deliver }), mailbox, warnings, close: () => undefined }
}
