import { useEffect, useMemo, useRef, useState } from 'react'
import { keyColumns, type Relation } from '#features/data/description/relations.ts'
import { keyOf } from '#features/data/rows/address.ts'
import type { Row } from '#features/data/rows/row.ts'
import type { Rows } from './use-rows.ts'

/** The rows one has ticked. */
export interface Selected {
  /** False where rows have no key to be told apart by. */
  isOffered: boolean
  count: number
  has: (key: readonly string[]) => boolean
  /** `extend`: also every row between this one and the last one ticked. */
  toggle: (index: number, extend: boolean) => void
  selectLoaded: () => void
  clear: () => void
  rows: () => Row[]
  keys: () => string[][]
}

const idOf = (key: readonly string[]): string => JSON.stringify(key)

export function useSelected(relation: Relation, rows: Rows): Selected {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const last = useRef<number>(undefined)
  const latest = useRef(rows)
  useEffect(() => {
    latest.current = rows
  })

  return useMemo(() => {
    const entry = (row: Row | undefined): [string, Row][] => {
      const key = row && keyOf(relation, row)
      return row && key ? [[idOf(key), row]] : []
    }
    const range = (from: number, until: number) =>
      Array.from({ length: until - from + 1 }, (_, step) => latest.current.rowAt(from + step)).flatMap(entry)
    return {
      isOffered: keyColumns(relation) !== undefined,
      count: chosen.size,
      has: (key) => chosen.has(idOf(key)),
      toggle: (index, extend) => {
        const [own] = entry(latest.current.rowAt(index))
        if (!own) return
        const adding = !chosen.has(own[0])
        const touched = extend && last.current !== undefined ? range(Math.min(last.current, index), Math.max(last.current, index)) : [own]
        last.current = index
        const next = new Map(chosen)
        for (const [id, row] of touched) {
          if (adding) next.set(id, row)
          else next.delete(id)
        }
        setChosen(next)
      },
      selectLoaded: () => setChosen(new Map(latest.current.loaded.flatMap(entry))),
      clear: () => setChosen(new Map()),
      rows: () => [...chosen.values()],
      keys: () => [...chosen.keys()].map((id) => JSON.parse(id) as string[]),
    }
  }, [relation, chosen])
}
