import { join } from 'node:path'
import type { Clock } from '#contract/clock.ts'
import type { Mailer } from '#contract/mailer.ts'
import type { TextSender } from '#contract/text-sender.ts'
import type { AuthSettings } from '#services/auth/settings.ts'
import type { MailAddress } from '#services/mail/mail.ts'
import { createMailbox, type Mailbox } from '#services/mail/mailbox.ts'
import { createMailer, templateFaults } from '#services/mail/mailer.ts'
import { createLocalPhone, type LocalPhone } from '#services/phone/local-phone.ts'
import { createProvider, missingCredentials, type ProviderSettings } from '#services/phone/providers.ts'

/** Where the box's mails and texts go: to the project's mail server and provider, or into the local mailbox and onto the local phone. */
export interface Post {
  mailer: Mailer
  texts: TextSender
  /** The mailbox and the phone as one listener. Left out while neither is needed. */
  local?: { fetch(request: Request): Promise<Response>; hasMail: boolean; hasTexts: boolean }
  /** A sentence each about the project's templates and its provider. */
  warnings: readonly string[]
  close(): void
}

export interface PostOptions {
  email: AuthSettings['email']
  /** Phones are switched on. */
  hasPhones: boolean
  /** Left out: texts end on the local phone. */
  provider: ProviderSettings | undefined
  /** Left out: mails and texts are kept in memory. */
  dataFolder: string | undefined
  clock: Clock
}

const boxAddress: MailAddress = { address: 'no-reply@portico.local', name: 'Portico' }

interface MailWay {
  mailer: Mailer
  mailbox?: Mailbox
  close(): void
}

interface Texts {
  texts: TextSender
  phone?: LocalPhone
  warnings: readonly string[]
}

async function openTexts({ hasPhones, provider, dataFolder, clock }: PostOptions): Promise<Texts> {
  const missing = provider === undefined ? [] : missingCredentials(provider)
  if (provider !== undefined && missing.length === 0) return { texts: createProvider(provider), warnings: [] }
  const warnings = provider === undefined ? [] : [`auth.sms.${provider.name} lacks ${missing.join(', ')}: texts end on the local phone.`]
  const phone = await createLocalPhone({ now: () => clock.now(), ...(dataFolder === undefined || !hasPhones ? {} : { folder: join(dataFolder, 'phone') }) })
  return { texts: phone.sender, phone, warnings }
}

async function openMail({ email: { smtp, templates }, dataFolder, clock }: PostOptions, hasTexts: boolean): Promise<MailWay> {
  if (smtp) {
    // Most boxes never speak to a mail server: what can is read only then.
    const { createSmtpDelivery } = await import('#services/mail/smtp.ts')
    const { deliver, close } = createSmtpDelivery(smtp)
    const from = { address: smtp.adminEmail, name: smtp.senderName ?? '' }
    return { mailer: createMailer({ from, templates, deliver }), close }
  }
  const mailbox = await createMailbox({ hasTexts, now: () => clock.now(), ...(dataFolder === undefined ? {} : { folder: join(dataFolder, 'mail') }) })
  return { mailer: createMailer({ from: boxAddress, templates, deliver: mailbox.deliver }), mailbox, close: () => undefined }
}

function listenerOf(mailbox: Mailbox | undefined, phone: LocalPhone | undefined): Pick<Post, 'local'> {
  if (!mailbox && !phone) return {}
  const toPhone = () => Promise.resolve(new Response(null, { status: 302, headers: { location: '/phone' } }))
  const fetchHere = (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const isPhone = pathname === '/phone' || pathname.startsWith('/phone/')
    if (phone && (isPhone || !mailbox)) return !mailbox && pathname === '/' ? toPhone() : phone.fetch(request)
    return mailbox ? mailbox.fetch(request) : toPhone()
  }
  return { local: { fetch: fetchHere, hasMail: mailbox !== undefined, hasTexts: phone !== undefined } }
}

/** Opens the ways mails and texts take. */
export async function openPost(options: PostOptions): Promise<Post> {
  const faults = templateFaults(options.email.templates).map(({ kind, fault }) => `The mail template "${kind}" has a fault: ${fault}`)
  const { texts, phone, warnings } = await openTexts(options)
  const shown = options.hasPhones ? phone : undefined
  const mail = await openMail(options, shown !== undefined)
  return { mailer: mail.mailer, texts, ...listenerOf(mail.mailbox, shown), warnings: [...faults, ...warnings], close: () => mail.close() }
}
