import { BucketScreen } from '#features/files/list/bucket-screen.tsx'
import type { ScreenProps } from './route.ts'

/** One bucket; folder, sort, search and the file shown stand in the query string. */
export function Screen({ params }: ScreenProps) {
  return <BucketScreen bucket={decode(params['bucket'] ?? '')} />
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
