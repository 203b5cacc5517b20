import { useMemo } from 'react'
import { listGroups } from '#features/data/description/relations.ts'
import { useKnowledge } from '#features/data/use-knowledge.ts'
import { relationLabel } from '#features/data/words.ts'
import { LiveScreen, type KnownTable } from '#features/live/live-screen.tsx'

/** Channels. Which tables there are to listen to is the workspace's knowledge. */
export function Screen() {
  const { data } = useKnowledge()
  const tables = useMemo((): KnownTable[] => {
    const groups = data ? listGroups(data.description) : []
    return groups.flatMap(({ tables: known }) => known.filter(({ can }) => can.select).map((table) => ({
      schema: table.schema,
      name: table.name,
      label: relationLabel(table),
      isSent: table.live !== undefined || data?.description.fingerprint === '',
    })))
  }, [data])
  return <LiveScreen tables={tables} />
}
