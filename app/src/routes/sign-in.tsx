import { SignInPage } from '#features/front-door/sign-in-page.tsx'

export const Screen = () => <SignInPage />
