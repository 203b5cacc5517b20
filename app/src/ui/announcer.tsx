import { createContext, use, useMemo, useRef, type ReactNode } from 'react'
import css from './visually-hidden.module.css'

const Context = createContext<(text: string) => void>(() => {})

/** Reads a text out to those who listen, for changes nothing else on the screen tells: a new page, "12 rows found". */
export const useAnnounce = (): ((text: string) => void) => use(Context)

export function Announcer({ children }: { children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null)
  const announce = useMemo(
    () => (text: string) => {
      const line = document.createElement('p')
      line.textContent = text
      region.current?.replaceChildren(line)
    },
    [],
  )
  return (
    <Context value={announce}>
      {children}
      <div ref={region} className={css.hidden} aria-live="polite" />
    </Context>
  )
}
