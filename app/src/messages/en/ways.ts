/** What is said of the ways to come in beside address and password, and of signing up: fetched when one of them is shown. */
export const ways = {
  passkey: 'Sign in with a passkey',
  passkeyUnused: 'No passkey was used. Try again, or choose another way.',
  passkeyElsewhere: 'Passkeys do not work at this address of the app. Choose another way.',
  with: (provider: string) => `Continue with ${provider}`,
  lastUsed: 'Last used',
  loadFailed: 'The other ways to sign in could not be loaded.',

  phone: {
    way: 'Continue with your phone',
    title: 'Sign in with your phone',
    lead: 'We send a code to your number. Your operator may charge for the message.',
    country: 'Country',
    number: 'Phone number',
    missing: 'Enter your phone number.',
    malformed: 'This is not a whole phone number. Enter it as you would dial it, or with + and the country code.',
    sendTo: (number: string) => `The code goes to ${number}.`,
    submit: 'Send the code',
    submitLocked: (seconds: number) => `Send the code (${seconds} s)`,
    whatsApp: 'Send it by WhatsApp',
    unknown: 'There is no account with this number.',
    unknownHint: 'Check the number, or choose another way.',
    codeTitle: 'Check your phone',
    codeLead: 'Enter the code from the message we have sent you.',
    change: (number: string) => `Change the number ${number}`,
    code: 'Code from the message',
    codeHint: 'It can take a minute to arrive.',
    codeMissing: 'Enter the code from the message.',
    codeWrong: 'This code is wrong or too old. Check the digits, or send a new one.',
    notThere: 'No message?',
    sentAgain: 'A new code is on its way. The one before no longer works.',
  },

  sso: {
    way: 'Continue with your organisation',
    title: 'Sign in with your organisation',
    lead: 'Enter your work address. We take you to the sign-in of your organisation.',
    email: 'Work address',
    submit: 'Continue',
    unknown: (domain: string) => `No organisation here uses ${domain}`,
    unknownHint: 'Check the address, or choose another way to sign in.',
  },

  wallet: {
    with: (wallet: string) => `Continue with ${wallet}`,
    ethereum: 'Ethereum wallet',
    solana: 'Solana wallet',
    statement: (project: string) => `Sign in to ${project}. This costs nothing and moves nothing.`,
    refused: 'The wallet did not sign',
    refusedHint: 'Nothing has changed. Open it, choose an account, and try again.',
  },

  guest: {
    way: 'Look around as a guest',
    hint: 'What you do is kept in this browser until you save your account.',
  },

  signUp: {
    missing: (label: string) => `Fill in “${label}”.`,
    malformedNumber: 'Enter a number.',
    malformedUrl: 'Enter a whole address, such as https://example.com.',
    choose: 'Choose',
    /** The box. The parts of one sentence; the pages' names become links. */
    agree: {
      two: (one: string, other: string) => ['I agree to the ', one, ' and the ', other, '.'],
      one: (page: string) => ['I agree to the ', page, '.'],
      none: 'I agree to the terms of this app.',
    },
    /** In place of the box, below the ways that ask nothing. */
    goOn: {
      two: (one: string, other: string) => ['By going on you agree to the ', one, ' and the ', other, '.'],
      one: (page: string) => ['By going on you agree to the ', page, '.'],
      none: 'By going on you agree to the terms of this app.',
    },
    terms: 'terms of use',
    privacy: 'privacy policy',
    agreeMissing: 'An account needs your agreement.',
    contact: 'Ask for an account',
  },

  password: {
    atLeast: (count: number) => `At least ${count} characters`,
    classes: { letters: 'A letter', lower: 'A lower-case letter', upper: 'An upper-case letter', digits: 'A digit', symbols: 'A symbol' },
    met: 'met',
    notMet: 'not met yet',
    strength: 'Strength',
    strengths: ['very weak', 'weak', 'fair', 'good', 'strong'] as readonly string[],
  },

  /** For guests, inside and on the page that makes them an account. */
  keep: {
    notice: 'You are here as a guest. Signing out, or clearing this browser, loses what you did.',
    way: 'Save your account',
    title: 'Save your account',
    lead: 'An address and a password, and what you did as a guest stays yours.',
    leadPhone: 'A phone number, and what you did as a guest stays yours. You sign in with a code sent to it.',
    byPhone: 'Use a phone number instead',
    byEmail: 'Use an e-mail address instead',
    submit: 'Save account',
    takenTitle: 'There is already an account with this address',
    takenHint: 'Use another address to keep what you did as a guest. Or sign in to that account: what you did as a guest is then out of your reach.',
    takenPhoneTitle: 'There is already an account with this number',
    takenPhoneHint: 'Use another number to keep what you did as a guest. Or sign in to that account: what you did as a guest is then out of your reach.',
    signInInstead: 'Leave what I did and sign in',
    codeTitle: 'Confirm your address',
    codeLead: 'Enter the code from the mail we have sent you, or open its link in this browser.',
    later: 'Not now',
  },
}
