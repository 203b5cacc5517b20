import { CallbackPage } from '#features/front-door/callback-page.tsx'

export const Screen = () => <CallbackPage />
