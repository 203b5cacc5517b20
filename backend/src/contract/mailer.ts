/** The mails of the auth API, by the names `config.toml` gives their templates. */
export type LetterKind =
  | 'invite'
  | 'confirmation'
  | 'recovery'
  | 'magic_link'
  | 'email_change'
  | 'reauthentication'
  | 'password_changed'
  | 'email_changed'
  | 'phone_changed'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'mfa_factor_enrolled'
  | 'mfa_factor_unenrolled'

/** What a template may say, by the hosted backend's names. Left out: renders as nothing. */
export interface LetterVariables {
  SiteURL?: string
  /** The link that is used up when it is opened: `<auth>/verify?token=…`. */
  ConfirmationURL?: string
  /** A page of the box's own app that asks before it uses the link up; only when the person is sent back there anyway. */
  CallbackURL?: string
  /** The code to type. */
  Token?: string
  TokenHash?: string
  RedirectTo?: string
  Email?: string
  NewEmail?: string
  OldEmail?: string
  /** The address this copy goes to; a change of address sends two. */
  SendingTo?: string
  Phone?: string
  OldPhone?: string
  Provider?: string
  FactorType?: string
  /** The person's `user_metadata`. */
  Data?: Readonly<Record<string, unknown>>
}

/** A mail to be written and sent. */
export interface Letter {
  kind: LetterKind
  /** One address, no name. */
  to: string
  variables: LetterVariables
}

/** Writes a letter with the project's template and hands it to the outgoing mail. */
export interface Mailer {
  /** Settles when the mail is kept or taken over by the mail server; rejects when it is not. */
  send(letter: Letter): Promise<void>
}
