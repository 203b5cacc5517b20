import { NewPasswordPage } from '#features/front-door/new-password-page.tsx'

export const Screen = () => <NewPasswordPage />
