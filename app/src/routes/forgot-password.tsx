import { ForgotPasswordPage } from '#features/front-door/forgot-password-page.tsx'

export const Screen = () => <ForgotPasswordPage />
