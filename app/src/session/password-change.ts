import { toAppError } from '#api/unwrap.ts'
import type { AppError } from '#api/app-error.ts'
import type { Client } from '#api/client.ts'
import { secondsInMessage } from './send-lock.ts'

/** What came of a try to change the password. */
export type PasswordChange =
  | { kind: 'done' }
  /** The server has just mailed a code that must come with the next try. */
  | { kind: 'code-needed' }
  | { kind: 'current-needed' }
  | { kind: 'failed'; error: AppError }

export interface PasswordWish {
  password: string
  /** The code from the mail; empty when none was asked for. */
  code: string
  /** The current password; empty when it was not asked for. */
  current: string
}

/** Asks for the change, and for the code where the server wants one first. */
export async function changePassword({ auth }: Client, { password, code, current }: PasswordWish): Promise<PasswordChange> {
  const { error } = await auth.updateUser({
    password,
    ...(code !== '' && { nonce: code }),
    ...(current !== '' && { current_password: current }),
  })
  if (!error) return { kind: 'done' }
  const failure = toAppError(error)
  if (failure.code === 'current_password_required' && current === '') return { kind: 'current-needed' }
  if (failure.code !== 'reauthentication_needed') return { kind: 'failed', error: failure }
  const asked = await auth.reauthenticate()
  if (!asked.error) return { kind: 'code-needed' }
  const unsent = toAppError(asked.error)
  // One was sent within the minute: that one serves.
  return secondsInMessage(unsent.message) === undefined ? { kind: 'failed', error: unsent } : { kind: 'code-needed' }
}
