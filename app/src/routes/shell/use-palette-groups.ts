import { useMemo } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { listGroups } from '#features/data/description/relations.ts'
import { callPath, dataPath } from '#features/data/rows/address.ts'
import { useKnowledge } from '#features/data/use-knowledge.ts'
import { relationLabel } from '#features/data/words.ts'
import { functionPath } from '#features/functions/address.ts'
import { useLocale, useMessages } from '#messages/messages.tsx'
import { useProjects } from '#projects/projects.tsx'
import { useProject } from '#session/session.tsx'
import { useTheme } from '#ui/theme.ts'
import type { PaletteEntry, PaletteGroup } from './palette-entries.ts'
import { places } from './places.ts'

/** What only the shell can do. */
export interface ShellActions {
  onHelp: () => void
  onSignOut: () => void
}

/** Everything the palette can reach: tables, views and functions, actions, projects, settings. */
export function usePaletteGroups(actions: ShellActions): PaletteGroup[] {
  const { shell } = useMessages()
  return [
    { id: 'tables', heading: shell.paletteTables, entries: useTables() },
    { id: 'functions', heading: shell.places.functions, entries: useEdgeFunctions(), onlyFound: true },
    { id: 'actions', heading: shell.paletteActions, entries: useActions(actions) },
    { id: 'settings', heading: shell.paletteSettings, entries: useSettings(), onlyFound: true },
  ]
}

function useTables(): PaletteEntry[] {
  const { data } = useKnowledge()
  return useMemo(() => {
    const groups = data ? listGroups(data.description) : []
    return groups.flatMap((group) => [
      ...[...group.tables, ...group.views].map((relation) => ({
        id: `table ${group.name}.${relation.name}`,
        label: relationLabel(relation),
        icon: group.tables.includes(relation) ? ('table' as const) : ('eye' as const),
        hint: groups.length > 1 ? group.name : undefined,
        words: relation.name,
        run: () => navigate(dataPath(group.name, relation.name)),
      })),
      ...group.functions.map((described, index) => ({
        id: `function ${group.name}.${described.name} ${index}`,
        label: relationLabel(described),
        icon: 'function' as const,
        hint: groups.length > 1 ? group.name : undefined,
        words: described.name,
        run: () => navigate(callPath(group.name, described.name)),
      })),
    ])
  }, [data])
}

/** Those the operator, or the box, lists. */
function useEdgeFunctions(): PaletteEntry[] {
  const { functions = [] } = useProject()
  return functions.map(({ name, title, description }) => ({
    id: `edge function ${name}`,
    label: title ?? name,
    icon: 'bolt' as const,
    hint: title === undefined ? undefined : name,
    words: `${name} ${description ?? ''}`,
    run: () => navigate(functionPath(name)),
  }))
}

function useActions({ onHelp, onSignOut }: ShellActions): PaletteEntry[] {
  const { shell } = useMessages()
  const { projects, current, select } = useProjects()
  return [
    ...places.map(({ id, href, icon, keys }) => ({ id: `place ${id}`, label: shell.places[id], icon, hint: keys, run: () => navigate(href) })),
    { id: 'account', label: shell.accountSettings, icon: 'user', run: () => navigate('/account') },
    ...projects
      .filter(({ id }) => id !== current?.id)
      .map(({ id, name, url }) => ({
        id: `project ${id}`,
        label: name,
        icon: 'database' as const,
        hint: shell.switchProject,
        words: url,
        run: () => {
          select(id)
          navigate('/', { replace: true })
        },
      })),
    { id: 'connect', label: shell.connectProject, icon: 'plus', run: () => navigate('/connect') },
    { id: 'help', label: shell.shortcuts, icon: 'keyboard', hint: '?', run: onHelp },
    { id: 'sign-out', label: shell.signOut, icon: 'sign-out', run: onSignOut },
  ]
}

function useSettings(): PaletteEntry[] {
  const { shell, ui } = useMessages()
  const { languages, language, setLanguage } = useLocale()
  const [theme, setTheme] = useTheme()
  const themes = [
    { id: 'system', name: ui.themeSystem, icon: 'monitor' },
    { id: 'light', name: ui.themeLight, icon: 'sun' },
    { id: 'dark', name: ui.themeDark, icon: 'moon' },
  ] as const
  return [
    ...themes.filter(({ id }) => id !== theme).map(({ id, name, icon }) => ({ id: `theme ${id}`, label: shell.themeIs(name), icon, run: () => setTheme(id) })),
    ...languages
      .filter(({ code }) => code !== language.code)
      .map(({ code, name }) => ({ id: `language ${code}`, label: shell.languageIs(name), icon: 'languages' as const, words: code, run: () => void setLanguage(code) })),
  ]
}
