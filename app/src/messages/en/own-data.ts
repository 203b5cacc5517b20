import { plural } from './forms.ts'

/** Taking one's data along, and leaving. */
export const ownData = {
  export: {
    heading: 'Export your data',
    lead: 'One file with what this account holds, in JSON: for you to keep, or to take elsewhere.',
    account: 'It holds your profile, ways to sign in, sessions, activity and connected apps.',
    tables: 'And rows that belong to you',
    table: (name: string, column: string) => `${name}, where ${column} is you`,
    start: 'Export',
    stop: 'Stop',
    working: (what: string) => `Reading ${what}`,
    workingAccount: 'your account',
    rows: (count: number) => plural(count, { one: '# row so far', other: '# rows so far' }),
    done: (size: string) => `The file is saved (${size}).`,
    partly: (names: string) => `Not everything could be read: ${names}. The file says so too. The rest is saved.`,
    again: 'Save the file again',
    cut: (name: string, count: number) => plural(count, { one: `${name} has more than # row; the rest is left out`, other: `${name} has more than # rows; the rest is left out` }),
  },

  remove: {
    heading: 'Delete account',
    lead: 'For good: nobody can bring it back.',
    start: 'Delete account',
    title: 'Delete your account?',
    goes: 'This goes at once:',
    goesAccount: 'Your account, with every way to sign in to it',
    goesSessions: 'Every session, on all devices',
    goesPhoto: 'Your photo',
    goesRows: (table: string) => `Your rows in ${table}`,
    stays: 'This stays:',
    staysRows: (table: string) => `Rows in ${table}, without saying that they are yours`,
    staysFiles: 'Files you have uploaded',
    blocks: 'These can refuse it, while rows of yours are there:',
    confirmLabel: (what: string) => `Type ${what} to confirm`,
    confirmWord: 'delete',
    mismatch: (what: string) => `This is not ${what}.`,
    submit: 'Delete account for good',
    failed: 'Your account is still there',
    inUse: 'Rows that belong to you have to be dealt with first',
    inUseIn: (table: string) => `Delete your rows in ${table} or give them to someone else, then try again.`,
    inUseSomewhere: 'Ask the people who run this app: they keep something that must not lose its account.',
  },

  goodbye: {
    title: 'Your account is deleted',
    lead: (project: string) => `You are signed out of ${project} everywhere. Thank you for having been here.`,
    note: 'Another device may take up to an hour to notice.',
    again: 'Go to the sign-in page',
  },
}
