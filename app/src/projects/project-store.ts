import type { Project } from '#project.ts'
import { readProjectKey } from './project-key.ts'
import { projectId, readProjectUrl } from './project-url.ts'

export interface KeptProject extends Project {
  /** Named by `portico.json`: it cannot be removed here. */
  configured: boolean
}

export interface ProjectsSnapshot {
  projects: readonly KeptProject[]
  /** The project in hand; undefined while there is none. */
  current: KeptProject | undefined
}

export interface ProjectStore {
  snapshot: () => ProjectsSnapshot
  subscribe: (listener: () => void) => () => void
  /** Keeps a project that has been proven, and takes it in hand. The same address replaces the key and keeps the name. */
  add: (project: Omit<Project, 'id'>) => void
  select: (id: string) => void
  remove: (id: string) => void
}

/** Where the projects added by hand are kept, and which one is in hand. */
export const projectsKey = 'portico.projects'

type Page = Pick<Window, 'addEventListener'> & { localStorage: Pick<Storage, 'getItem' | 'setItem'> }

/**
 * The projects this browser knows: those of `portico.json` first, then those a person added. Tabs follow one another.
 * Where storage is refused, what is added lasts for the page.
 */
export function createProjectStore(configured: readonly Project[], page: Page): ProjectStore {
  const listeners = new Set<() => void>()
  let kept = read(page)
  let snapshot = combine(configured, kept)

  const show = (next: Kept) => {
    kept = next
    snapshot = combine(configured, kept)
    for (const listener of listeners) listener()
  }
  const change = (next: Kept) => {
    show(next)
    write(page, next)
  }
  page.addEventListener('storage', (event) => {
    if (event.key === projectsKey || event.key === null) show(read(page))
  })

  return {
    snapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add: ({ name, url, key }) => {
      const id = projectId(url)
      const known = kept.projects.find((project) => project.id === id)
      change({ projects: [...kept.projects.filter((project) => project !== known), { id, name: known?.name ?? name, url, key }], current: id })
    },
    select: (id) => change({ ...kept, current: id }),
    remove: (id) => change({ projects: kept.projects.filter((project) => project.id !== id), current: kept.current === id ? null : kept.current }),
  }
}

interface Kept {
  projects: readonly Project[]
  current: string | null
}

function combine(configured: readonly Project[], kept: Kept): ProjectsSnapshot {
  const named = new Set(configured.map(({ id }) => id))
  const projects = [
    ...configured.map((project) => ({ ...project, configured: true })),
    ...kept.projects.filter(({ id }) => !named.has(id)).map((project) => ({ ...project, configured: false })),
  ]
  return { projects, current: projects.find(({ id }) => id === kept.current) ?? projects[0] }
}

function read(page: Page): Kept {
  try {
    const { projects, current } = JSON.parse(page.localStorage.getItem(projectsKey) ?? '{}') as { projects?: unknown; current?: unknown }
    return {
      projects: Array.isArray(projects) ? projects.flatMap(readProject) : [],
      current: typeof current === 'string' ? current : null,
    }
  } catch {
    return { projects: [], current: null }
  }
}

// Storage is written by whatever runs on this origin: a project is taken only if its facts still read well.
function readProject(value: unknown): Project[] {
  const { name, url, key } = (value ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || typeof url !== 'string' || typeof key !== 'string') return []
  const address = readProjectUrl(url)
  const publicKey = readProjectKey(key, 0)
  return address.ok && publicKey.ok ? [{ id: projectId(address.url), name, url: address.url, key: publicKey.key }] : []
}

function write(page: Page, kept: Kept): void {
  try {
    page.localStorage.setItem(projectsKey, JSON.stringify(kept))
  } catch {
    // Storage is refused or full: what was added lasts for the page.
  }
}
