export const shell = {
  productName: 'Portico',
  skipToContent: 'Skip to content',
  offline: 'You are offline. What you see may be out of date; changes cannot be saved until you are back.',
  notFoundTitle: 'There is nothing at this address',
  notFoundHint: 'The link may be old or mistyped.',
  goHome: 'Go to the start',
}
