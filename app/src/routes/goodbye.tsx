import { GoodbyePage } from '#features/account/own-data/goodbye-page.tsx'

export const Screen = () => <GoodbyePage />
