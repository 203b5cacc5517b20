import { AccountsPage } from '#features/accounts/accounts-page.tsx'

export const Screen = () => <AccountsPage />
