/** What is said of a passkey, or of a second step, to those who have neither. */
export const nudge = {
  label: 'Suggestion',
  passkey: 'Sign in with your face, fingerprint or device PIN next time.',
  addPasskey: 'Add a passkey',
  passkeyAdded: 'Your passkey is ready. Next time choose it at sign-in.',
  secondStep: 'A second step at sign-in keeps others out even when they have your password.',
  addSecondStep: 'Set up a second step',
  later: 'Not now',
}
