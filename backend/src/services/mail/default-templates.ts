import type { LetterKind } from '#contract/mailer.ts'

/** A mail's subject and HTML, in the template language. */
export interface Template {
  subject: string
  content: string
}

// Mail programs draw tables and style attributes for certain; those that read the sheet in the head turn the mail dark.
const darkSheet = `
@media (prefers-color-scheme: dark) {
.page { background: #110f0e !important }
.card { background: #191614 !important; border-color: #2d2a27 !important; color: #b6b2ad !important }
.strong { color: #eceae7 !important }
.quiet { color: #b6b2ad !important }
.code { background: #25231f !important; color: #eceae7 !important }
.button { background: #e99169 !important; color: #201009 !important }
}
`

const sheet = (inside: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>${darkSheet}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f8f6f3">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f8f6f3">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#fdfdfb;border:1px solid #e4e1de;border-radius:10px;color:#59534d">
<tr><td style="padding:32px;font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px">
${inside}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

const heading = (words: string): string =>
  `<h1 class="strong" style="margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600;color:#221d19">${words}</h1>`

const paragraph = (words: string): string => `<p style="margin:0 0 24px">${words}</p>`

const small = (words: string): string => `<p class="quiet" style="margin:24px 0 0;font-size:13px;line-height:18px;color:#59534d">${words}</p>`

const buttonStyle =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#b14c2b;color:#fffdfa;font-size:16px;line-height:20px;font-weight:600;text-decoration:none'

// The app's own page asks before it uses the link up, so that a scanner that opens every link burns nothing.
const button = (words: string): string =>
  `<p style="margin:0 0 24px"><a class="button" href="{{ if .CallbackURL }}{{ .CallbackURL }}{{ else }}{{ .ConfirmationURL }}{{ end }}" style="${buttonStyle}">${words}</a></p>`

const code = (lead: string): string => `<p class="quiet" style="margin:0 0 8px;font-size:13px;line-height:18px;color:#59534d">${lead}</p>
<p class="code" style="margin:0;padding:12px 0;border-radius:6px;background:#f2f0ec;text-align:center;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:26px;line-height:32px;font-weight:600;letter-spacing:6px;color:#221d19">{{ .Token }}</p>`

const linkLetter = (title: string, words: { intro: string; action: string; outro: string }): string =>
  sheet([heading(title), paragraph(words.intro), button(words.action), code('Or type this code where you were asked for it:'), small(words.outro)].join('\n'))

const notice = (title: string, intro: string): string =>
  sheet([heading(title), paragraph(intro), small("If this wasn't you, choose a new password and tell the people who run this service.")].join('\n'))

const ignore = "If you didn't ask for this, you can ignore this mail. Nobody gets in without the link or the code."

/** What is written when the project has no template of its own: a link to press and a code to type. */
export const defaultTemplates: Readonly<Record<LetterKind, Template>> = {
  confirmation: {
    subject: 'Confirm your email address',
    content: linkLetter('Confirm your email address', {
      intro: 'Confirm {{ .Email }} to finish signing up.',
      action: 'Confirm email address',
      outro: ignore,
    }),
  },
  invite: {
    subject: "You've been invited",
    content: linkLetter("You've been invited", {
      intro: 'You have been invited to create an account for {{ .Email }}.',
      action: 'Accept invitation',
      outro: ignore,
    }),
  },
  magic_link: {
    subject: 'Your sign-in link',
    content: linkLetter('Sign in', { intro: 'Use this link to sign in as {{ .Email }}. It works once.', action: 'Sign in', outro: ignore }),
  },
  recovery: {
    subject: 'Reset your password',
    content: linkLetter('Reset your password', {
      intro: 'Somebody asked for a new password for {{ .Email }}.',
      action: 'Choose a new password',
      outro: `${ignore} Your password stays as it is.`,
    }),
  },
  email_change: {
    subject: 'Confirm your new email address',
    content: linkLetter('Confirm your new email address', {
      intro: '{{ if .Email }}Confirm the change from {{ .Email }} to {{ .NewEmail }}.{{ else }}Confirm {{ .NewEmail }} as your address.{{ end }}',
      action: 'Confirm the change',
      outro: ignore,
    }),
  },
  reauthentication: {
    subject: '{{ .Token }} is your verification code',
    content: sheet([heading('Your verification code'), code('Type it where you were asked for it:'), small("If you didn't ask for this code, you can ignore this mail.")].join('\n')),
  },
  password_changed: {
    subject: 'Your password was changed',
    content: notice('Your password was changed', 'The password for {{ .Email }} was changed.'),
  },
  email_changed: {
    subject: 'Your email address was changed',
    content: notice('Your email address was changed', 'Your address was changed from {{ .OldEmail }} to {{ .Email }}.'),
  },
  phone_changed: {
    subject: 'Your phone number was changed',
    content: notice('Your phone number was changed', 'The phone number of your account was changed from {{ .OldPhone }} to {{ .Phone }}.'),
  },
  identity_linked: {
    subject: 'A new sign-in method was linked to your account',
    content: notice('A sign-in method was added', '{{ .Provider }} can now be used to sign in as {{ .Email }}.'),
  },
  identity_unlinked: {
    subject: 'A sign-in method was removed from your account',
    content: notice('A sign-in method was removed', '{{ .Provider }} can no longer be used to sign in as {{ .Email }}.'),
  },
  mfa_factor_enrolled: {
    subject: 'A new verification method was added to your account',
    content: notice('A verification method was added', '{{ .FactorType }} is now asked for when you sign in.'),
  },
  mfa_factor_unenrolled: {
    subject: 'A verification method was removed from your account',
    content: notice('A verification method was removed', '{{ .FactorType }} is no longer asked for when you sign in.'),
  },
}
