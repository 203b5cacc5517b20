const signInAgain = 'Sign in again. Your unsaved work is kept in this tab.'

/** Refusals of the pack's functions. */
export const accountErrors: Readonly<Record<string, { title: string; whatToDo: string }>> = {
  portico_signed_out: { title: 'Your session has ended', whatToDo: signInAgain },
  portico_not_for_guests: { title: 'Guests cannot do this', whatToDo: 'Save your account first: add an e-mail address or a phone number.' },
  portico_not_for_apps: { title: 'An app cannot do this for you', whatToDo: 'Sign in yourself, in your browser.' },
  portico_fresh_proof_needed: { title: 'Your sign-in is too long ago for this', whatToDo: 'Sign out, sign in again, then repeat it within 15 minutes.' },
  portico_second_factor_needed: { title: 'This needs your second factor', whatToDo: 'Enter a code of it, then repeat it within 15 minutes.' },
  portico_session_not_found: { title: 'This session has ended already', whatToDo: 'There is nothing more to do.' },
  portico_account_in_use: { title: 'Rows that belong to you have to be dealt with first', whatToDo: 'Delete them or give them to someone else, then try again.' },
  portico_photos_not_public: { title: 'Photos cannot be shown here', whatToDo: 'The bucket that keeps them is not public. Tell the people who run this app.' },
}
