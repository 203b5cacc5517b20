import type { consent as English } from '#messages/en/consent.ts'

export const consent: typeof English = {
  title: (app, project) => `${app} möchte Sie mit Ihrem Konto bei ${project} anmelden`,
  documentTitle: 'Zugriff erlauben',
  loading: 'Es wird geprüft, wer anfragt',
  place: 'Sie gelangen zu',
  placeHint: {
    web: 'Apps wählen ihren Namen selbst. Fahren Sie nur fort, wenn Sie diese Adresse kennen.',
    device: 'Ein Programm auf diesem Computer. Fahren Sie nur fort, wenn Sie es gerade gestartet haben.',
    app: 'Eine App auf diesem Gerät. Fahren Sie nur fort, wenn Sie sie gerade benutzt haben.',
  },

  asWhom: 'Ihr Konto',
  guest: 'Gast',
  another: 'Anderes Konto verwenden',

  may: 'Die App darf dann',
  scopes: {
    openid: 'Sie bei jedem Besuch wiedererkennen',
    email: 'Ihre E-Mail-Adresse sehen',
    phone: 'Ihre Telefonnummer sehen',
    profile: 'Ihren Namen, Ihr Bild und Ihr übriges Profil sehen',
    offline_access: 'Verbunden bleiben, auch wenn Sie nicht da sind',
  },
  actForYou: (project) => `In ${project} für Sie handeln: sehen und ändern, was Sie dort sehen und ändern dürfen`,
  takeBack: 'Sie können das jederzeit in Ihrem Konto unter „Verbundene Apps“ zurücknehmen.',
  allow: 'Erlauben',
  deny: 'Nicht erlauben',

  switchTitle: 'Anderes Konto verwenden',
  switchLead: (app, email) => `Diese Anfrage gehört zu ${email}. Melden Sie sich hier ab und beginnen Sie in ${app} von vorn: Dann werden Sie nach dem Konto gefragt.`,
  switchGo: 'Abmelden und zurückgehen',
  switchStay: (email) => `Bei ${email} bleiben`,

  leavingTitle: 'Sie werden zurückgeleitet',
  leavingKnown: 'Sie haben dieser App schon Zugriff gegeben.',
  leavingAllowed: 'Der Zugriff ist erlaubt.',
  leavingDenied: 'Der Zugriff wurde nicht erlaubt.',
  leavingLead: (place) => `Wenn nichts geschieht, gehen Sie selbst weiter zu ${place}.`,
  leavingApp: 'Wenn sich Ihre App nicht von selbst öffnet, öffnen Sie sie hier. Diese Seite können Sie dann schließen.',
  goOn: 'Weiter',
  openApp: 'App öffnen',

  failures: {
    missing: { title: 'Hier liegt keine Anfrage vor', lead: 'Apps öffnen diese Seite, um Zugriff anzufordern. Gehen Sie zur App zurück und beginnen Sie dort.' },
    gone: {
      title: 'Diese Anfrage gilt nicht mehr',
      lead: 'Eine Anfrage gilt zehn Minuten und gehört zu dem Konto, das sie zuerst geöffnet hat. Gehen Sie zur App zurück und beginnen Sie von vorn.',
    },
    expired: { title: 'Das hat zu lange gedauert', lead: 'Eine Anfrage gilt zehn Minuten. Es wurde nichts erlaubt. Gehen Sie zur App zurück und beginnen Sie von vorn.' },
    answered: { title: 'Diese Anfrage ist schon beantwortet', lead: 'Sie kann nur einmal beantwortet werden. Wartet die App noch, gehen Sie zu ihr zurück und beginnen Sie von vorn.' },
    origin: {
      title: 'Diese Seite darf nicht für das Projekt antworten',
      lead: 'Das Projekt kennt diese Adresse nicht. Bitten Sie die Betreiber, sie in die erlaubten Weiterleitungsadressen aufzunehmen.',
    },
    off: { title: 'Apps können hier keinen Zugriff anfordern', lead: 'Dieses Projekt meldet niemanden bei anderen Apps an. Wenden Sie sich an die Betreiber der App, von der Sie kommen.' },
    unsafe: { title: 'Wir haben Sie nicht weitergeleitet', lead: 'Die App möchte die Antwort an eine Adresse, die nicht sicher geöffnet werden kann. Wenden Sie sich an ihre Betreiber.' },
  },
  backTo: (host) => `Zurück zu ${host}`,
  home: 'Zur Startseite',
  signedInAs: (email) => `Sie sind angemeldet als ${email}.`,
  otherProject: 'Die App gehört vielleicht zu einem anderen Projekt.',
  chooseProject: 'Projekt wählen',
}
