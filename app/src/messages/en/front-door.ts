export const frontDoor = {
  signIn: 'Sign in',
}
