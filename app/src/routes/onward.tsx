import { OnwardPage } from '#features/front-door/onward-page.tsx'

export const Screen = () => <OnwardPage />
