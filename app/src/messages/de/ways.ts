import type { ways as English } from '#messages/en/ways.ts'

export const ways: typeof English = {
  passkey: 'Mit Passkey anmelden',
  passkeyUnused: 'Es wurde kein Passkey benutzt. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  passkeyElsewhere: 'Unter dieser Adresse der App gelten keine Passkeys. Wählen Sie einen anderen Weg.',
  with: (provider) => `Weiter mit ${provider}`,
  lastUsed: 'Zuletzt verwendet',
  loadFailed: 'Die anderen Anmeldemethoden konnten nicht geladen werden.',

  phone: {
    way: 'Weiter mit Telefonnummer',
    title: 'Mit Telefonnummer anmelden',
    lead: 'Wir senden einen Code an Ihre Nummer. Ihr Anbieter kann dafür Gebühren berechnen.',
    country: 'Land',
    number: 'Telefonnummer',
    missing: 'Geben Sie Ihre Telefonnummer ein.',
    malformed: 'Das ist keine vollständige Telefonnummer. Geben Sie sie ein, wie Sie sie wählen würden, oder mit + und Ländervorwahl.',
    sendTo: (number) => `Der Code geht an ${number}.`,
    submit: 'Code senden',
    submitLocked: (seconds) => `Code senden (${seconds} s)`,
    whatsApp: 'Per WhatsApp senden',
    unknown: 'Zu dieser Nummer gibt es kein Konto.',
    unknownHint: 'Prüfen Sie die Nummer oder wählen Sie einen anderen Weg.',
    codeTitle: 'Sehen Sie auf Ihrem Telefon nach',
    codeLead: 'Geben Sie den Code aus unserer Nachricht ein.',
    change: (number) => `Nummer ${number} ändern`,
    code: 'Code aus der Nachricht',
    codeHint: 'Bis sie ankommt, kann es eine Minute dauern.',
    codeMissing: 'Geben Sie den Code aus der Nachricht ein.',
    codeWrong: 'Dieser Code ist falsch oder zu alt. Prüfen Sie die Ziffern oder fordern Sie einen neuen an.',
    notThere: 'Keine Nachricht?',
    sentAgain: 'Ein neuer Code ist unterwegs. Der vorige gilt nicht mehr.',
  },

  sso: {
    way: 'Weiter mit Ihrer Organisation',
    title: 'Über Ihre Organisation anmelden',
    lead: 'Geben Sie Ihre Dienstadresse ein. Wir bringen Sie zur Anmeldung Ihrer Organisation.',
    email: 'Dienstadresse',
    submit: 'Weiter',
    unknown: (domain) => `Hier verwendet keine Organisation ${domain}`,
    unknownHint: 'Prüfen Sie die Adresse oder wählen Sie einen anderen Weg.',
  },

  wallet: {
    with: (wallet) => `Weiter mit ${wallet}`,
    ethereum: 'Ethereum-Wallet',
    solana: 'Solana-Wallet',
    statement: (project) => `Bei ${project} anmelden. Das kostet nichts, und nichts wird überwiesen.`,
    refused: 'Die Wallet hat nicht signiert',
    refusedHint: 'Es hat sich nichts geändert. Öffnen Sie sie, wählen Sie ein Konto und versuchen Sie es noch einmal.',
  },

  guest: {
    way: 'Als Gast umsehen',
    hint: 'Was Sie tun, bleibt in diesem Browser, bis Sie Ihr Konto sichern.',
  },

  signUp: {
    missing: (label) => `Füllen Sie „${label}“ aus.`,
    malformedNumber: 'Geben Sie eine Zahl ein.',
    malformedUrl: 'Geben Sie eine vollständige Adresse ein, etwa https://example.com.',
    choose: 'Auswählen',
    agree: {
      two: (one, other) => ['Ich akzeptiere: ', one, ' und ', other, '.'],
      one: (page) => ['Ich akzeptiere: ', page, '.'],
      none: 'Ich akzeptiere die Bedingungen dieser App.',
    },
    goOn: {
      two: (one, other) => ['Indem Sie fortfahren, akzeptieren Sie: ', one, ' und ', other, '.'],
      one: (page) => ['Indem Sie fortfahren, akzeptieren Sie: ', page, '.'],
      none: 'Indem Sie fortfahren, akzeptieren Sie die Bedingungen dieser App.',
    },
    terms: 'Nutzungsbedingungen',
    privacy: 'Datenschutzerklärung',
    agreeMissing: 'Für ein Konto brauchen wir Ihre Zustimmung.',
    contact: 'Konto anfragen',
  },

  password: {
    atLeast: (count) => `Mindestens ${count} Zeichen`,
    classes: { letters: 'Ein Buchstabe', lower: 'Ein Kleinbuchstabe', upper: 'Ein Großbuchstabe', digits: 'Eine Ziffer', symbols: 'Ein Sonderzeichen' },
    met: 'erfüllt',
    notMet: 'noch nicht erfüllt',
    strength: 'Stärke',
    strengths: ['sehr schwach', 'schwach', 'mittel', 'gut', 'stark'],
  },

  keep: {
    notice: 'Sie sind als Gast hier. Wenn Sie sich abmelden oder die Browserdaten löschen, geht alles verloren, was Sie hier getan haben.',
    way: 'Konto sichern',
    title: 'Konto sichern',
    lead: 'Mit einer Adresse und einem Passwort behalten Sie, was Sie als Gast getan haben.',
    submit: 'Konto sichern',
    takenTitle: 'Zu dieser Adresse gibt es schon ein Konto',
    takenHint: 'Verwenden Sie eine andere Adresse, um zu behalten, was Sie als Gast getan haben. Oder melden Sie sich mit dem Konto an: Dann kommen Sie an das, was Sie als Gast getan haben, nicht mehr heran.',
    signInInstead: 'Darauf verzichten und anmelden',
    codeTitle: 'Adresse bestätigen',
    codeLead: 'Geben Sie den Code aus unserer E-Mail ein oder öffnen Sie ihren Link in diesem Browser.',
    later: 'Jetzt nicht',
  },
}
