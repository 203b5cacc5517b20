import { SecondFactorPage } from '#features/second-factor/second-factor-page.tsx'

export const Screen = () => <SecondFactorPage enrolment={() => null} />
