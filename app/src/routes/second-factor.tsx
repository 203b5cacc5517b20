import { lazy, Suspense } from 'react'
import { SecondFactorPage } from '#features/second-factor/second-factor-page.tsx'

const RequiredEnrolment = lazy(async () => ({ default: (await import('#features/account/factors/required-enrolment.tsx')).RequiredEnrolment }))

function Enrolment({ onDone }: { onDone: () => void }) {
  return (
    <Suspense>
      <RequiredEnrolment onDone={onDone} />
    </Suspense>
  )
}

export const Screen = () => <SecondFactorPage Enrolment={Enrolment} />
