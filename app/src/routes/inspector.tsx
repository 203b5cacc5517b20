import { useMemo } from 'react'
import { listGroups } from '#features/data/description/relations.ts'
import { useKnowledge } from '#features/data/use-knowledge.ts'
import { relationLabel } from '#features/data/words.ts'
import { InspectorScreen } from '#features/inspector/inspector-screen.tsx'
import type { KnownTables } from '#features/inspector/signed-out-tab.tsx'

/** What the session is, keeps and asks. Which tables there are to check is the workspace's knowledge. */
export function Screen() {
  const { data, isError } = useKnowledge()
  const tables = useMemo<KnownTables>(() => {
    if (isError) return { step: 'failed' }
    if (!data) return { step: 'loading' }
    const relations = listGroups(data.description).flatMap((group) => [...group.tables, ...group.views])
    return { step: 'known', tables: relations.filter(({ can }) => can.select).map((relation) => ({ schema: relation.schema, name: relation.name, label: relationLabel(relation) })) }
  }, [data, isError])
  return <InspectorScreen tables={tables} />
}
