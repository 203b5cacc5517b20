/** What is said to whoever a sibling app has sent here to sign in. */
export const onward = {
  going: 'Taking you back',
  goingLead: (host: string) => `If nothing happens, go on to ${host} yourself.`,
  goOn: 'Go on',
  refusedTitle: 'You are signed in, but we did not take you back',
  refusedLead: 'The address you came with is not one this app may send people to. If you trust it, go back there yourself; tell the people who run it.',
  refusedHost: (host: string) => `The address was at ${host}.`,
  home: 'To the start page',
}
