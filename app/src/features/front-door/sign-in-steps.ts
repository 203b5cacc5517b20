/** What comes after the first question: fetched while it is answered. */
export { CheckMail } from './check-mail.tsx'
export { SignInPassword, SignInWhole } from './sign-in-password.tsx'
