import { FunctionScreen } from '#features/functions/function-screen.tsx'
import type { ScreenProps } from './route.ts'

/** One edge function, to be called. */
export function Screen({ params }: ScreenProps) {
  return <FunctionScreen name={decode(params['name'] ?? '')} />
}

/** An address typed by hand may hold a stray `%`. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
