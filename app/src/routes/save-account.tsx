import { SaveAccountPage } from '#features/front-door/guest-page.tsx'

export const Screen = () => <SaveAccountPage />
