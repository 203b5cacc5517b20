import type { Letter, LetterKind, Mailer } from '#contract/mailer.ts'

import { defaultTemplates } from './default-templates.ts'
import { textOfHtml } from './html-text.ts'
import type { Deliver, Mail, MailAddress } from './mail.ts'
import { renderHtml, renderLine } from './template.ts'

/** A project's own words for a mail; what is left out is the default's. */
export interface OwnTemplate {
  subject?: string
  content?: string
}

export interface MailerOptions {
  from: MailAddress
  templates: Readonly<Partial<Record<LetterKind, OwnTemplate>>>
  deliver: Deliver
}

function writeLetter({ kind, to, variables }: Letter, { from, templates }: MailerOptions): Mail {
  const [own, usual] = [templates[kind], defaultTemplates[kind]]
  const html = renderHtml(own?.content ?? usual.content, { ...variables })
  return { from, to, subject: renderLine(own?.subject ?? usual.subject, { ...variables }), html, text: textOfHtml(html) }
}

/** Writes letters with the project's templates, or with the box's own, and hands them on. */
export const createMailer = (options: MailerOptions): Mailer => ({
  send: async (letter) => options.deliver(writeLetter(letter, options)),
})

/** Faults of a project's templates, each with its name, so that a start can tell before a mail is due. */
export function templateFaults(templates: MailerOptions['templates']): { kind: string; fault: string }[] {
  return Object.entries(templates).flatMap(([kind, own]) => {
    try {
      renderHtml(own?.content ?? '', {})
      renderLine(own?.subject ?? '', {})
      return []
    } catch (error) {
      return [{ kind, fault: error instanceof Error ? error.message : String(error) }]
    }
  })
}
