import { z } from 'zod'
import { count, duration, flag, port } from './scalars.ts'

const template = z.strictObject({
  enabled: flag.default(true),
  subject: z.string().optional(),
  content: z.string().optional(),
  content_path: z.string().optional(),
})

export interface MailTemplateConfig {
  enabled: boolean
  /** Left out: the template's own default. */
  subject?: string
  content?: string
  /** As written; read by `readConfig`, which puts the text into `content`. */
  contentPath?: string
}

const toTemplate = (toml: z.output<typeof template>): MailTemplateConfig => ({
  enabled: toml.enabled,
  ...(toml.subject === undefined ? {} : { subject: toml.subject }),
  ...(toml.content === undefined ? {} : { content: toml.content }),
  ...(toml.content_path ? { contentPath: toml.content_path } : {}),
})

const smtp = z
  .strictObject({
    enabled: flag.default(true),
    host: z.string().default(''),
    port: port.default(587),
    user: z.string().default(''),
    pass: z.string().default(''),
    admin_email: z.string().default(''),
    sender_name: z.string().default(''),
  })
  .transform((toml) => ({
    enabled: toml.enabled,
    host: toml.host,
    port: toml.port,
    user: toml.user,
    password: toml.pass,
    fromAddress: toml.admin_email,
    fromName: toml.sender_name,
  }))

const templates = z.record(z.string(), template.transform(toTemplate)).default({})

/** The `[auth.email]` sections. @see supabase/cli pkg/config/auth.go */
export const emailSection = z
  .strictObject({
    enable_signup: flag.default(true),
    double_confirm_changes: flag.default(true),
    enable_confirmations: flag.default(false),
    secure_password_change: flag.default(false),
    max_frequency: duration.prefault('1s'),
    otp_length: count.pipe(z.number().min(6).max(10)).default(6),
    otp_expiry: count.default(3600),
    smtp: smtp.optional(),
    template: templates,
    notification: templates,
  })
  .transform((toml) => ({
    enableSignup: toml.enable_signup,
    doubleConfirmChanges: toml.double_confirm_changes,
    enableConfirmations: toml.enable_confirmations,
    securePasswordChange: toml.secure_password_change,
    maxFrequencyMs: toml.max_frequency,
    otpLength: toml.otp_length,
    otpExpirySeconds: toml.otp_expiry,
    /** Null: mail is captured in the local mailbox. */
    smtp: toml.smtp?.enabled === true && toml.smtp.host !== '' ? toml.smtp : null,
    /** By name: `confirmation`, `recovery`, `magic_link`, `invite`, `email_change`, `reauthentication`. */
    templates: toml.template,
    notifications: toml.notification,
  }))

export type EmailConfig = z.output<typeof emailSection>
