import { ConsentPage } from '#features/consent/consent-page.tsx'

export const Screen = () => <ConsentPage />
