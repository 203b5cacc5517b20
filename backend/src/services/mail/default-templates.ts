import type { LetterKind } from '#contract/mailer.ts'

/** A mail's subject and HTML, in the template language. */
export interface Template {
  subject: string
  content: string
}

// Mail programs know no style sheets of ours: tables and style attributes are what they all draw. The tag in the head
// lets those that can turn the mail dark.
const sheet = (inside: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
</head>
<body style="margin:0;padding:0;background:#f4f4f5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f4f5">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border:1px solid #e4e4e7;border-radius:12px">
<tr><td style="padding:32px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:24px;color:#3f3f46">
${inside}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

const heading = (words: string): string =>
  `<h1 style="margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600;color:#18181b">${words}</h1>`

const paragraph = (words: string): string => `<p style="margin:0 0 20px">${words}</p>`

const small = (words: string): string => `<p style="margin:20px 0 0;font-size:13px;line-height:20px;color:#71717a">${words}</p>`

const buttonStyle =
  'display:inline-block;padding:11px 20px;border-radius:8px;background:#18181b;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none'

// The app's own page asks before it uses the link up, so that a scanner that opens every link burns nothing.
const button = (words: string): string =>
  `<p style="margin:0 0 20px"><a href="{{ if .CallbackURL }}{{ .CallbackURL }}{{ else }}{{ .ConfirmationURL }}{{ end }}" style="${buttonStyle}">${words}</a></p>`

const code = `<p style="margin:0 0 8px;font-size:13px;line-height:20px;color:#71717a">Or type this code where you were asked for it:</p>
<p style="margin:0;padding:12px 0;border-radius:8px;background:#f4f4f5;text-align:center;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:26px;line-height:32px;font-weight:600;letter-spacing:6px;color:#18181b">{{ .Token }}</p>`

const linkLetter = (title: string, words: { intro: string; action: string; outro: string }): string =>
  sheet([heading(title), paragraph(words.intro), button(words.action), code, small(words.outro)].join('\n'))

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
    content: sheet([heading('Your verification code'), code, small(ignore)].join('\n')),
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
