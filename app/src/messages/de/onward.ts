import type { onward as English } from '#messages/en/onward.ts'

export const onward: typeof English = {
  going: 'Sie werden zurückgeleitet',
  goingLead: (host) => `Wenn nichts geschieht, gehen Sie selbst weiter zu ${host}.`,
  goOn: 'Weiter',
  refusedTitle: 'Sie sind angemeldet, aber wir haben Sie nicht zurückgeleitet',
  refusedLead: 'Zu der Adresse, mit der Sie kamen, darf diese App niemanden leiten. Wenn Sie ihr trauen, gehen Sie selbst dorthin zurück; informieren Sie die Betreiber.',
  refusedHost: (host) => `Die Adresse lag bei ${host}.`,
  home: 'Zur Startseite',
}
