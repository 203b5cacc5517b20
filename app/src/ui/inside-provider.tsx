import { createContext, use, useMemo, type ComponentType, type ReactNode } from 'react'
import { useOverlaysAhead } from './overlays-ahead.ts'

export interface Inside {
  /** The app's own navigation, for links that stand in menus. */
  navigate: (path: string) => void
  /** Stands around what is fetched when it is opened; when its files are gone it says so and calls `onClose`. By default nothing does. */
  boundary?: ComponentType<{ onClose: () => void; children: ReactNode }>
}

const bare: Required<Inside>['boundary'] = ({ children }) => children

const Context = createContext<Required<Inside>>({ navigate: (path) => location.assign(path), boundary: bare })

/** Hands the app's own navigation, and its word for files that are gone, to menus, popovers and dialogs; stands once, around the shell. */
export function InsideProvider({ navigate, boundary = bare, children }: Inside & { children: ReactNode }) {
  useOverlaysAhead()
  const inside = useMemo(() => ({ navigate, boundary }), [navigate, boundary])
  return <Context value={inside}>{children}</Context>
}

export const useInside = (): Required<Inside> => use(Context)
