import type { ProjectOptions } from '#database/project/project-files.ts'
import { readProjectFiles, readSqlFile } from '#database/project/project-files.ts'

const createExtension = /\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?("[^"]+"|[a-z_][\w$-]*)/gi

/** The extensions a text names in `create extension`, also where a comment or a string does: a cheap look, not a parse. */
export function extensionsNamedIn(text: string): string[] {
  const names = [...text.matchAll(createExtension)].map(([, name = '']) => (name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase()))
  // `cascade` may ask for these without naming them.
  return [...new Set(names.includes('earthdistance') ? [...names, 'cube'] : names)]
}

/** The extensions a project's roles file, migrations and seeds name, so that the engine is opened with them. Sorted. */
export function extensionsNamedBy(project: ProjectOptions): string[] {
  const { roles, migrations, seeds } = readProjectFiles(project)
  const names = new Set<string>()
  for (const file of [...(roles ? [roles] : []), ...migrations, ...seeds]) for (const name of extensionsNamedIn(readSqlFile(file))) names.add(name)
  return [...names].sort()
}
