import { CallScreen } from '#features/data/functions/call-screen.tsx'
import { readCallPath } from '#features/data/rows/address.ts'
import type { ScreenProps } from './route.ts'

/** A function of the project, to be called. */
export function Screen({ params }: ScreenProps) {
  return <CallScreen {...readCallPath(params['schema'] ?? '', params['name'] ?? '')} />
}
