import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useConnection, useUser } from '#session/session.tsx'
import type { LiveTable } from './live-table.ts'
import { holdPeople, type PeopleFeed, type Person } from './people.ts'
import type { Held } from './shared.ts'
import { holdTableFeed, type FeedState, type TableFeed } from './table-feed.ts'

/** The changes of a table, held while the component is there; undefined where the project sends none. */
export function useTableFeed(table: LiveTable | undefined): TableFeed | undefined {
  const connection = useConnection()
  const { id } = useUser()
  const open = useCallback(() => (table ? holdTableFeed(connection, id, table) : undefined), [connection, id, table])
  return useHeld(open)
}

/** Who else looks at a table; undefined where the operator wants none of it, or the page may not make the channel's name. */
export function usePeople({ schema, name }: { schema: string; name: string }): PeopleFeed | undefined {
  const connection = useConnection()
  const user = useUser()
  const isOff = connection.project.presence === false
  const open = useCallback(() => (isOff ? undefined : holdPeople(connection, user, { schema, name })), [connection, user, schema, name, isOff])
  return useHeld(open)
}

/** Holds what `open` gives while the component is there. */
function useHeld<Thing>(open: () => Held<Thing> | Promise<Held<Thing>> | undefined): Thing | undefined {
  const [thing, setThing] = useState<Thing>()
  useEffect(() => {
    const held = Promise.resolve(open())
    let isGone = false
    void held.then((found) => !isGone && setThing(found?.thing), () => undefined)
    return () => {
      isGone = true
      void held.then((found) => found?.release(), () => undefined)
    }
  }, [open])
  return thing
}

const nothing = () => () => undefined
const nobody: readonly Person[] = []
const noPeople = () => nobody

export const usePeopleOf = (feed: PeopleFeed | undefined): readonly Person[] => useSyncExternalStore(feed?.subscribe ?? nothing, feed?.people ?? noPeople)

export const useFeedState = (feed: TableFeed | undefined): FeedState => useSyncExternalStore(feed?.subscribe ?? nothing, feed?.state ?? (() => 'off' as const))
