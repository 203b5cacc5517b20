import type { LiveMessages } from '#messages/en/live.ts'
import { list, plural } from './forms.ts'

const live: LiveMessages['live'] = {
  newRows: (count) => plural(count, { one: '# neue Zeile', other: '# neue Zeilen' }),
  newRowsHint: 'Anzeigen',
  rowsChanged: 'Zeilen haben sich geändert',
  rowsChangedHint: 'Neu ordnen',
  stateLive: 'Live',
  stateLiveHint: 'Was andere ändern, erscheint hier sofort.',
  stateJoining: 'Wird verbunden',
  stateLost: 'Gerade nicht live',
  stateLostHint: 'Die Live-Verbindung ist unterbrochen. Sie wird von selbst wiederhergestellt; Versäumtes wird dann nachgeladen.',
  stateOff: 'Nicht live',
  stateOffHint: 'Das Projekt meldet Änderungen dieser Tabelle nicht. Aktualisieren Sie, um zu sehen, was andere geändert haben.',
  someone: 'Jemand',
  here: (names) => `Auch hier: ${list(names)}`,
  hereMore: (count) => `+${count}`,
  isEditing: (name) => `${name} bearbeitet das gerade`,
  areEditing: (names) => `${list(names)} bearbeiten das gerade`,
  isLooking: (name) => `${name} sieht sich das an`,
  areLooking: (names) => `${list(names)} sehen sich das an`,
  deletedTitle: 'Jemand hat diesen Eintrag gerade gelöscht',
  deletedHint: 'Sie sehen, was er enthielt. Speichern lässt sich darin nichts mehr; kopieren Sie, was Sie noch brauchen.',
}

export const liveMessages: LiveMessages = { live }
