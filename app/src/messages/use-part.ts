import { useEffect, useState } from 'react'
import type { Area } from './languages.ts'
import { useLoadArea } from './messages.tsx'

const fetched = new Map<() => Promise<unknown>, unknown>()

/**
 * A part of the door that few pages need, fetched with its words when it is first drawn; undefined until then.
 *
 * @param load always the same function: `() => import(…)` outside of the component.
 * @throws while drawing, when it cannot be fetched: the boundary above says so.
 */
export function usePart<T>(load: () => Promise<T>, area: Area): T | undefined {
  const loadArea = useLoadArea()
  const [part, setPart] = useState(() => fetched.get(load) as T | undefined)
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    let isWanted = true
    Promise.all([load(), loadArea(area)]).then(
      ([found]) => {
        fetched.set(load, found)
        if (isWanted) setPart(() => found)
      },
      (error: unknown) => isWanted && setFailure({ error }),
    )
    return () => {
      isWanted = false
    }
  }, [load, area, loadArea])
  if (failure) throw failure.error
  return part
}
