/** What is said where an application asks to be let in. */
export const consent = {
  title: (app: string, project: string) => `${app} wants to sign you in with your ${project} account`,
  documentTitle: 'Allow access',
  loading: 'Finding out who asks',
  place: 'It takes you to',
  placeHint: {
    web: 'Apps choose their own name. Go on only if you know this address.',
    device: 'A program on this computer. Go on only if you have just started it.',
    app: 'An app on this device. Go on only if you have just used it.',
  },

  asWhom: 'Your account',
  guest: 'Guest',
  another: 'Use another account',

  may: 'It will be able to',
  scopes: {
    openid: 'Know that it is you each time you come back',
    email: 'See your e-mail address',
    phone: 'See your phone number',
    profile: 'See your name, your picture and what else is in your profile',
    offline_access: 'Stay connected while you are away',
  } as Readonly<Record<string, string>>,
  actForYou: (project: string) => `Act for you in ${project}: see and change what you may see and change there`,
  takeBack: 'You can take this back at any time in your account, under connected apps.',
  allow: 'Allow',
  deny: 'Do not allow',

  switchTitle: 'Use another account',
  switchLead: (app: string, email: string) => `This request stays with ${email}. Sign out here and start again in ${app}: you will then be asked which account to use.`,
  switchGo: 'Sign out and go back',
  switchStay: (email: string) => `Stay with ${email}`,

  leavingTitle: 'Taking you back',
  leavingKnown: 'You have let this app in before.',
  leavingAllowed: 'It is allowed.',
  leavingDenied: 'It was not allowed.',
  leavingLead: (place: string) => `If nothing happens, go on to ${place} yourself.`,
  leavingApp: 'If your app does not open by itself, open it here. You can then close this page.',
  goOn: 'Go on',
  openApp: 'Open the app',

  failures: {
    missing: { title: 'There is no request here', lead: 'Apps open this page to ask for access. Go back to the app and start from there.' },
    gone: {
      title: 'This request is no longer valid',
      lead: 'A request lasts ten minutes and belongs to the account that opened it first. Go back to the app and start again.',
    },
    expired: { title: 'This took too long', lead: 'A request lasts ten minutes. Nothing was allowed. Go back to the app and start again.' },
    answered: { title: 'This request has been answered', lead: 'It can be answered once. If the app is still waiting, go back to it and start again.' },
    origin: {
      title: 'This page may not answer for the project',
      lead: 'The project does not know this address. Tell the people who run it to add it to the allowed redirect addresses.',
    },
    off: { title: 'Apps cannot ask for access here', lead: 'This project does not let other apps sign people in. Tell the people who run the app that sent you.' },
    unsafe: { title: 'We did not go on', lead: 'The app wants to be answered at an address that is not safe to open. Tell the people who run it.' },
  },
  backTo: (host: string) => `Back to ${host}`,
  home: 'To the start page',
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  otherProject: 'The app may belong to another project.',
  chooseProject: 'Choose the project',
}
