import type { Letter, LetterKind } from '#contract/mailer.ts'
import type { Auth } from '#services/auth/auth.ts'
import { userBody } from '#services/auth/user.ts'
import { findUserByEmail, findUserById } from '#services/auth/users.queries.ts'

import { runHook } from './hooks.ts'

/** The codes and hashes of a mail, where they are not the letter's own: a change of address has two. */
export interface MailTokens {
  token: string
  token_hash: string
  token_new: string
  token_hash_new: string
}

const actions: Readonly<Partial<Record<LetterKind, string>>> = { confirmation: 'signup', magic_link: 'magiclink' }
const plain = new Set<LetterKind>(['invite', 'recovery', 'email_change', 'reauthentication'])

const actionOf = (kind: LetterKind): string => actions[kind] ?? (plain.has(kind) ? kind : `${kind}_notification`)

function emailData(auth: Auth, { kind, variables }: Letter, tokens: Partial<MailTokens>): Record<string, string> {
  return {
    token: variables.Token ?? '',
    token_hash: variables.TokenHash ?? '',
    redirect_to: variables.RedirectTo ?? '',
    email_action_type: actionOf(kind),
    site_url: auth.settings.externalUrl,
    token_new: '',
    token_hash_new: '',
    old_email: variables.OldEmail ?? '',
    old_phone: variables.OldPhone ?? '',
    provider: variables.Provider ?? '',
    factor_type: variables.FactorType ?? '',
    ...tokens,
  }
}

/**
 * Hands a mail to the project's hook, in place of sending it.
 *
 * @param asked `userId` left out: the person who has the letter's address.
 * @see supabase/auth internal/api/mail.go, `sendEmail`
 */
export async function sendEmailByHook(auth: Auth, uri: string, asked: { letter: Letter; userId?: string; tokens?: MailTokens }): Promise<void> {
  const { letter, userId, tokens = {} } = asked
  const address = letter.variables.Email ?? letter.to
  await auth.transact(async (tx) => {
    const user = userId === undefined ? await findUserByEmail(tx, address) : await findUserById(tx, userId)
    const input = { user: user ? userBody(user) : { email: address }, email_data: emailData(auth, letter, tokens) }
    await runHook(auth, tx, { uri, name: 'send-email', input })
  })
}
