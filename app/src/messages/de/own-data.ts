import type { ownData as English } from '#messages/en/own-data.ts'
import { plural } from './forms.ts'

export const ownData: typeof English = {
  export: {
    heading: 'Ihre Daten exportieren',
    lead: 'Eine Datei mit dem, was dieses Konto enthält, als JSON: zum Aufbewahren oder Mitnehmen.',
    account: 'Sie enthält Profil, Anmeldemethoden, Sitzungen, Verlauf und verbundene Apps.',
    tables: 'Dazu Zeilen, die Ihnen gehören',
    table: (name, column) => `${name}, wenn ${column} auf Sie verweist`,
    start: 'Exportieren',
    stop: 'Anhalten',
    working: (what) => `${what} wird gelesen`,
    workingAccount: 'Ihr Konto',
    rows: (count) => plural(count, { one: 'bisher # Zeile', other: 'bisher # Zeilen' }),
    done: (size) => `Die Datei ist gespeichert (${size}).`,
    partly: (names) => `Nicht alles konnte gelesen werden: ${names}. Das steht auch in der Datei. Der Rest ist gespeichert.`,
    again: 'Datei noch einmal speichern',
    cut: (name, count) => plural(count, { one: `${name} hat mehr als # Zeile; der Rest fehlt`, other: `${name} hat mehr als # Zeilen; der Rest fehlt` }),
  },

  remove: {
    heading: 'Konto löschen',
    lead: 'Endgültig: Niemand kann es zurückholen.',
    start: 'Konto löschen',
    title: 'Ihr Konto löschen?',
    goes: 'Das wird sofort gelöscht:',
    goesAccount: 'Ihr Konto mit allen Anmeldemethoden',
    goesSessions: 'Alle Sitzungen auf allen Geräten',
    goesPhoto: 'Ihr Foto',
    goesRows: (table) => `Ihre Zeilen in ${table}`,
    stays: 'Das bleibt:',
    staysRows: (table) => `Zeilen in ${table}, aber ohne Verweis auf Sie`,
    staysFiles: 'Dateien, die Sie hochgeladen haben',
    blocks: 'Diese verhindern die Löschung, solange dort Zeilen von Ihnen sind:',
    confirmLabel: (what) => `Zur Bestätigung ${what} eingeben`,
    confirmWord: 'löschen',
    mismatch: (what) => `Das ist nicht ${what}.`,
    submit: 'Konto endgültig löschen',
    failed: 'Ihr Konto ist noch da',
    inUse: 'Es gibt noch Zeilen, die Ihnen gehören',
    inUseIn: (table) => `Löschen Sie Ihre Zeilen in ${table}, oder übertragen Sie sie jemand anderem, und versuchen Sie es dann noch einmal.`,
    inUseSomewhere: 'Fragen Sie die Betreiber dieser App: Etwas dort darf sein Konto nicht verlieren.',
  },

  goodbye: {
    title: 'Ihr Konto ist gelöscht',
    lead: (project) => `Sie sind bei ${project} überall abgemeldet. Danke, dass Sie hier waren.`,
    note: 'Auf anderen Geräten kann es bis zu einer Stunde dauern.',
    again: 'Zur Anmeldung',
  },
}
