import type { shell as English } from '#messages/en/shell.ts'

export const shell: typeof English = {
  productName: 'Portico',
  skipToContent: 'Zum Inhalt springen',
  offline: 'Sie sind offline. Was Sie sehen, kann veraltet sein; Änderungen lassen sich erst wieder speichern, wenn Sie verbunden sind.',
  notFoundTitle: 'Unter dieser Adresse gibt es nichts',
  notFoundHint: 'Der Link ist vielleicht veraltet oder falsch geschrieben.',
  goHome: 'Zur Startseite',
}
