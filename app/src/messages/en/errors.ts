import { list, sentences } from './forms.ts'

const tryAgain = 'Try again. If it stays like this, tell the people who run this app.'
const signInAgain = 'Sign in again. Your unsaved work is kept in this tab.'
const newCode = 'Check the digits, or send a new code.'
const waitAMinute = 'Wait a minute, then try again.'
const askForAccess = 'If you need it, ask the people who run this app for access.'

const passwordFaults: Readonly<Record<string, string>> = {
  length: 'it is too short',
  characters: 'it lacks some of the required kinds of characters (lower case, upper case, digits, symbols)',
  pwned: 'it has appeared in a data leak and is easy to guess',
}

/** What a person reads for each failure: what happened, and what to do. By the server's code, else by kind. */
export const errors = {
  /** What people meet most; the rest is in `refusals.ts`. */
  byCode: {
    invalid_credentials: { title: 'The e-mail address or the password is not right', whatToDo: 'Check both, or set a new password.' },
    email_not_confirmed: { title: 'This address has not been confirmed yet', whatToDo: 'Open the link in the mail we sent, or send a new one.' },
    otp_expired: { title: 'This code or link is wrong, used or too old', whatToDo: newCode },
    over_request_rate_limit: { title: 'Too many attempts', whatToDo: 'Wait a few minutes, then try again.' },
  } as Readonly<Record<string, { title: string; whatToDo: string }>>,
  byKind: {
    'signed-out': { title: 'You need to be signed in for this', whatToDo: signInAgain },
    forbidden: { title: 'You are not allowed to do this', whatToDo: askForAccess },
    missing: { title: 'This does not exist, or you may not see it', whatToDo: 'It may have been deleted or moved.' },
    conflict: { title: 'This does not fit with what is there already', whatToDo: 'Reload to see the latest, then try again.' },
    invalid: { title: 'The server could not accept what was entered', whatToDo: 'Check it and try again.' },
    busy: { title: 'The server is busy', whatToDo: waitAMinute },
    offline: { title: 'The server cannot be reached', whatToDo: 'Check your connection, then try again. Nothing you entered is lost.' },
    broken: { title: 'The server failed', whatToDo: tryAgain },
  },
  /** Several sentences as one text, each but the last with its full stop. */
  sentences,
  /** `length`, `characters`, `pwned`: the server's own words for what is wrong with a password. */
  weakPassword: (reasons: readonly string[]) => ({
    title: 'This password is too easy to guess',
    whatToDo: reasons.length > 0 ? `Choose another one: ${list(reasons.map((reason) => passwordFaults[reason] ?? reason))}.` : 'Choose a longer one.',
  }),
  waitSeconds: (seconds: number) => ({
    title: 'Too soon for another message',
    whatToDo: seconds === 1 ? 'You can ask for another one in 1 second.' : `You can ask for another one in ${seconds} seconds.`,
  }),
  /** What to do when the project's own rule speaks for itself. */
  ownWords: 'This project has set this rule.',
}
