import type { accounts as English } from '#messages/en/accounts.ts'

export const accounts: typeof English = {
  title: 'Konto wählen',
  lead: 'Diese Konten bleiben in diesem Browser angemeldet.',
  now: 'Wird verwendet',
  guest: 'Gast',
  end: (name) => `${name} abmelden`,
  another: 'Anderes Konto verwenden',
  notKept: 'Sie wollten nicht angemeldet bleiben: Dieses Konto wird hier abgemeldet, sobald Sie zu einem anderen wechseln.',
  endedTitle: (name) => `${name} ist hier nicht mehr angemeldet`,
  endedHint: 'Die Sitzung wurde beendet oder ist abgelaufen. Melden Sie sich erneut an.',
  signInAgain: 'Erneut anmelden',
}
