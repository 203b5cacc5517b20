import { describe, expect, it } from 'vitest'

import { defaultTemplates } from './default-templates.ts'
import type { Mail } from './mail.ts'
import { createMailer, templateFaults } from './mailer.ts'
import { renderHtml, renderLine } from './template.ts'

const from = { address: 'noreply@example.com', name: 'Helpdesk' }

async function written(kind: keyof typeof defaultTemplates, variables: object, templates = {}): Promise<Mail> {
  const mails: Mail[] = []
  await createMailer({ from, templates, deliver: async (mail) => void mails.push(mail) }).send({ kind, to: 'ada@example.com', variables })
  return mails[0]!
}

describe('templates', () => {
  it('knows values, conditions, words and trimmed blanks as the hosted backend does', () => {
    const variables = { Email: 'ada@example.com', Data: { name: 'Ada', lang: 'de', tags: ['a', 'b'] } }
    const shown = (template: string) => renderHtml(template, variables)
    expect(shown('Hi {{ .Data.name }}, {{.Email}}!')).toBe('Hi Ada, ada@example.com!')
    expect(shown('{{ if .Data.name }}A{{ else }}B{{ end }}{{ if .NewEmail }}C{{ end }}')).toBe('A')
    expect(shown('{{ if eq .Data.lang "fr" }}F{{ else if eq .Data.lang "de" }}D{{ else }}E{{ end }}')).toBe('D')
    expect(shown('a {{- " b " -}} c')).toBe('a b c')
    expect(shown('{{ with .Data }}{{ .name }} {{ $.Email }}{{ end }}')).toBe('Ada ada@example.com')
    expect(shown('{{ range .Data.tags }}[{{ . }}]{{ end }}')).toBe('[a][b]')
    expect(shown('{{ or .Data.nick .Data.name }}{{ not .Data.nick }}{{ index .Data "lang" }}')).toBe('Adatruede')
    expect(shown('{{ if and (ne .Data.lang "en") .Email }}y{{ end }}{{/* quiet */}}')).toBe('y')
  })

  it('lets no value become markup, code or another link', () => {
    const evil = { Data: { name: '<img src=x onerror=alert(1)>', quote: '" onclick="x', link: 'javascript:alert(1)' }, RedirectTo: 'https://a.b/?x=1&y="2"' }
    expect(renderHtml('<p>{{ .Data.name }}</p>', evil)).toBe('<p>&lt;img src=x onerror=alert(1)&gt;</p>')
    expect(renderHtml('<p title="{{ .Data.quote }}">', evil)).not.toContain('" onclick')
    expect(renderHtml('<a href="{{ .Data.link }}">', evil)).toBe('<a href="#blocked">')
    expect(renderHtml('<a href="{{ .RedirectTo }}">', evil)).toBe('<a href="https://a.b/?x=1&amp;y=&#34;2&#34;">')
    expect(renderHtml('<a href="https://s/?next={{ .RedirectTo }}">', evil)).toBe('<a href="https://s/?next=https%3A%2F%2Fa.b%2F%3Fx%3D1%26y%3D%222%22">')
    expect(renderHtml('<script>var x = {{ .Data.name }}</script>', evil)).toBe('<script>var x = </script>')
    expect(renderHtml('{{ .Data.constructor }}{{ .Data.__proto__ }}{{ .toString }}', evil)).toBe('')
  })

  it('keeps a subject on one line, so that it adds no header', () => {
    expect(renderLine('Hi {{ .Name }}', { Name: 'a\r\nBcc: evil@example.com' })).toBe('Hi a Bcc: evil@example.com')
  })

  it('names the faults of a template before a mail is due', () => {
    expect(templateFaults({ invite: { content: '{{ if .A }}x' }, recovery: { subject: '{{ .A ! }}' }, magic_link: { content: '{{ .Token }}' } })).toMatchObject([
      { kind: 'invite', fault: 'line 1: {{ if }} has no {{ end }}' },
      { kind: 'recovery' },
    ])
  })
})

describe('letters', () => {
  const link = { ConfirmationURL: 'http://box/auth/v1/verify?token=h&type=magiclink', CallbackURL: 'http://box/callback?token_hash=h&type=magiclink', Token: '048213', Email: 'ada@example.com' }

  it('show the app’s own page and the code, in HTML and in text', async () => {
    const mail = await written('magic_link', link)
    expect(mail.html).toContain('href="http://box/callback?token_hash=h&amp;type=magiclink"')
    expect(mail.html).toContain('048213')
    expect(mail.text).toContain('Sign in: http://box/callback?token_hash=h&type=magiclink')
    expect(mail.text).toContain('048213')
  })

  it('show the link that works everywhere when the person goes back to another app', async () => {
    const { CallbackURL: _, ...elsewhere } = link
    expect((await written('magic_link', elsewhere)).html).toContain('href="http://box/auth/v1/verify?token=h&amp;type=magiclink"')
  })

  it('use the project’s own words where it has them', async () => {
    const templates = { magic_link: { subject: 'Code {{ .Token }}', content: '<p>{{ .SiteURL }} {{ .TokenHash }}</p>' }, recovery: { subject: 'Only a subject' } }
    expect(await written('magic_link', { ...link, SiteURL: 'https://s', TokenHash: 'h' }, templates)).toMatchObject({ subject: 'Code 048213', html: '<p>https://s h</p>', text: 'https://s h' })
    const recovery = await written('recovery', link, templates)
    expect(recovery.subject).toBe('Only a subject')
    expect(recovery.html).toContain('Choose a new password')
  })

  it('are written for every kind without a hole', async () => {
    for (const kind of Object.keys(defaultTemplates) as (keyof typeof defaultTemplates)[]) {
      const mail = await written(kind, { ...link, NewEmail: 'n@e.com', OldEmail: 'o@e.com', Phone: '1', OldPhone: '2', Provider: 'google', FactorType: 'totp' })
      expect(mail.html + mail.subject).not.toMatch(/\{\{|undefined|null/)
    }
  })
})
