import { createContext, use, useSyncExternalStore, type ReactNode } from 'react'
import type { ProjectsSnapshot, ProjectStore } from './project-store.ts'

const Context = createContext<ProjectStore | undefined>(undefined)

export function ProjectsProvider({ store, children }: { store: ProjectStore; children: ReactNode }) {
  return <Context value={store}>{children}</Context>
}

/** The projects this browser knows and the one in hand, with the ways to add, switch and remove. */
export function useProjects(): ProjectsSnapshot & Pick<ProjectStore, 'add' | 'select' | 'remove'> {
  const store = use(Context)
  if (!store) throw new Error('useProjects needs a ProjectsProvider above it')
  const { projects, current } = useSyncExternalStore(store.subscribe, store.snapshot)
  return { projects, current, add: store.add, select: store.select, remove: store.remove }
}
