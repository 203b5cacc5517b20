import { DataPage } from '#features/account/data-page.tsx'

export const Screen = () => <DataPage />
