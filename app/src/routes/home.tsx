import { Redirect } from 'wouter'
import { misdirectedArrival } from '#session/arrival.ts'
import { useSession } from '#session/session.tsx'
import { Boot } from './boot.tsx'

/** `/` is no place of its own: it leads to the data, or to the door. */
export function Screen() {
  const { step } = useSession()
  const arrival = misdirectedArrival(location.href)
  if (arrival) return <Redirect to={arrival} replace />
  if (step === 'starting') return <Boot />
  return <Redirect to={step === 'signed-in' ? '/data' : step === 'recovering' ? '/new-password' : '/sign-in'} replace />
}
