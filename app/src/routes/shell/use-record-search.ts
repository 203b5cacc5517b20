import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { navigate, usePathname } from 'wouter/use-browser-location'
import type { Description } from '#features/data/description/description.ts'
import { findRelation, keyColumns, listGroups, type Relation } from '#features/data/description/relations.ts'
import { titleOf } from '#features/data/description/title.ts'
import { dataPath, readDataPath } from '#features/data/rows/address.ts'
import { choicesQuery, type Picker } from '#features/data/rows/choices-query.ts'
import { useSource } from '#features/data/source.ts'
import { useKnowledge } from '#features/data/use-knowledge.ts'
import { relationLabel } from '#features/data/words.ts'
import type { PaletteEntry } from './palette-entries.ts'

// Each table searched is one request that may scan it whole.
const tablesSearched = 5
const shownOfEach = 4
const pauseMs = 250

/** Records whose title holds the words: of the table at hand first, then of the first few tables. Asked once the typing pauses. */
export function useRecordSearch(text: string): { entries: PaletteEntry[]; isSearching: boolean } {
  const source = useSource()
  const { data } = useKnowledge()
  const pathname = usePathname()
  const sought = usePaused(text.trim())
  const enabled = sought.length > 1
  const pickers = data && enabled ? searchable(data.description, pathname) : []
  const answers = useQueries({ queries: pickers.map((picker) => choicesQuery(source, picker, { search: sought, fixed: {} })) })

  const entries = answers.flatMap(({ data: choices, isPlaceholderData }, index) => {
    const relation = pickers[index]?.target
    if (!relation || !choices || isPlaceholderData) return []
    return choices.slice(0, shownOfEach).map(({ title, note, values }) => ({
      id: `record ${relation.schema}.${relation.name} ${values.join(',')}`,
      label: title,
      icon: 'rows' as const,
      hint: [note, relationLabel(relation)].filter(Boolean).join(' · '),
      run: () => navigate(dataPath(relation.schema, relation.name, values)),
    }))
  })
  return { entries, isSearching: enabled && (sought !== text.trim() || answers.some(({ isFetching }) => isFetching)) }
}

function searchable(description: Description, pathname: string): Picker[] {
  const { schema, relation: name } = readDataPath(pathname)
  const atHand = pathname.startsWith('/data/') && schema !== undefined && name !== undefined ? findRelation(description, schema, name) : undefined
  const tables = listGroups(description).flatMap((group) => group.tables)
  const pickers = [...new Set([...(atHand ? [atHand] : []), ...tables])].flatMap((relation) => pickerOfOwn(description, relation) ?? [])
  return pickers.slice(0, tablesSearched)
}

/** A relation looked through by its own key and title; none when its rows have no words of their own. */
function pickerOfOwn(description: Description, target: Relation): Picker | undefined {
  const key = keyColumns(target)
  const title = titleOf(description, target)
  if (!target.can.select || !key || title.from !== 'column') return undefined
  return { fk: { name: '', columns: key, schema: target.schema, table: target.name, to: key }, target, title }
}

/** The text once it has stood for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
