import { SignUpPage } from '#features/front-door/sign-up-page.tsx'

export const Screen = () => <SignUpPage />
