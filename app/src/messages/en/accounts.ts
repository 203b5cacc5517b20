/** What is said where one chooses among the accounts of this browser. */
export const accounts = {
  title: 'Choose an account',
  lead: 'These accounts stay signed in on this browser.',
  now: 'In use',
  guest: 'Guest',
  end: (name: string) => `Sign out ${name}`,
  another: 'Use another account',
  notKept: 'You chose not to stay signed in: this account is signed out here as soon as you go to another.',
  endedTitle: (name: string) => `${name} is no longer signed in here`,
  endedHint: 'The session was ended or has expired. Sign in once more.',
  signInAgain: 'Sign in again',
}
