import { useEffect, type RefObject } from 'react'

/** Puts the focus on the field that was refused, with what was typed still in it. */
export function useFocusOn(failure: unknown, field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (failure) field.current?.focus()
  }, [failure, field])
}
