import { SecurityPage } from '#features/account/security-page.tsx'

export const Screen = () => <SecurityPage />
