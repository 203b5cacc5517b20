import type { errors as English } from '#messages/en/errors.ts'
import { list, sentences } from './forms.ts'

const tryAgain = 'Versuchen Sie es noch einmal. Wenn das nicht hilft, wenden Sie sich an die Betreiber dieser App.'
const signInAgain = 'Melden Sie sich wieder an. Was Sie noch nicht gespeichert haben, bleibt in diesem Tab erhalten.'
const newCode = 'Prüfen Sie die Ziffern oder fordern Sie einen neuen Code an.'
const waitAMinute = 'Warten Sie eine Minute und versuchen Sie es dann noch einmal.'
const askForAccess = 'Wenn Sie es brauchen, bitten Sie die Betreiber dieser App um Zugriff.'

const passwordFaults: Readonly<Record<string, string>> = {
  length: 'es ist zu kurz',
  characters: 'es fehlen vorgeschriebene Arten von Zeichen (Klein- und Großbuchstaben, Ziffern, Sonderzeichen)',
  pwned: 'es ist aus einem Datenleck bekannt und leicht zu erraten',
}

export const errors: typeof English = {
  /** What people meet most; the rest is in `refusals.ts`. */
  byCode: {
    invalid_credentials: { title: 'E-Mail-Adresse oder Passwort stimmen nicht', whatToDo: 'Prüfen Sie beides oder legen Sie ein neues Passwort fest.' },
    email_not_confirmed: { title: 'Diese Adresse ist noch nicht bestätigt', whatToDo: 'Öffnen Sie den Link in unserer E-Mail oder fordern Sie einen neuen an.' },
    otp_expired: { title: 'Dieser Code oder Link ist falsch, bereits verwendet oder zu alt', whatToDo: newCode },
    over_request_rate_limit: { title: 'Zu viele Versuche', whatToDo: 'Warten Sie einige Minuten und versuchen Sie es dann noch einmal.' },
  },
  byKind: {
    'signed-out': { title: 'Dafür müssen Sie angemeldet sein', whatToDo: signInAgain },
    forbidden: { title: 'Das dürfen Sie nicht', whatToDo: askForAccess },
    missing: { title: 'Das gibt es nicht, oder Sie dürfen es nicht sehen', whatToDo: 'Vielleicht wurde es gelöscht oder verschoben.' },
    conflict: { title: 'Das passt nicht zu dem, was schon da ist', whatToDo: 'Laden Sie neu, um den aktuellen Stand zu sehen, und versuchen Sie es noch einmal.' },
    invalid: { title: 'Der Server konnte die Eingabe nicht annehmen', whatToDo: 'Prüfen Sie sie und versuchen Sie es noch einmal.' },
    busy: { title: 'Der Server ist ausgelastet', whatToDo: waitAMinute },
    offline: { title: 'Der Server ist nicht erreichbar', whatToDo: 'Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal. Ihre Eingaben bleiben erhalten.' },
    broken: { title: 'Auf dem Server ist ein Fehler aufgetreten', whatToDo: tryAgain },
  },
  sentences,
  weakPassword: (reasons) => ({
    title: 'Dieses Passwort ist zu leicht zu erraten',
    whatToDo: reasons.length > 0 ? `Wählen Sie ein anderes: ${list(reasons.map((reason) => passwordFaults[reason] ?? reason))}.` : 'Wählen Sie ein längeres.',
  }),
  waitSeconds: (seconds) => ({
    title: 'Zu früh für die nächste Nachricht',
    whatToDo: seconds === 1 ? 'In einer Sekunde können Sie die nächste anfordern.' : `In ${seconds} Sekunden können Sie die nächste anfordern.`,
  }),
  ownWords: 'Diese Regel hat das Projekt festgelegt.',
}
