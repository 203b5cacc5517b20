import { ProfilePage } from '#features/account/profile-page.tsx'

export const Screen = () => <ProfilePage />
