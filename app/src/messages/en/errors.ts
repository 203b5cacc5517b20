export const errors = {
  offline: 'You are offline. Check your connection and try again.',
}
