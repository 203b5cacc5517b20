import { navigate } from 'wouter/use-browser-location'
import type { Description } from '#features/data/description/description.ts'
import type { Relation } from '#features/data/description/relations.ts'
import { dataPath, keyOf } from '#features/data/rows/address.ts'
import type { Rows } from '#features/data/grid/use-rows.ts'
import { rowHref } from '#features/data/grid/relation-screen.tsx'
import { relationLabel, useWords } from '#features/data/words.ts'
import { Sheet } from '#ui/sheet.tsx'
import { RecordView } from './record-view.tsx'
import { NewRecord } from './new-record.tsx'

/** What lies over the grid: one record, or the form for a new one. */
export type Laid = { record: readonly string[] } | 'new'

export interface RecordPanelProps {
  description: Description
  relation: Relation
  laid: Laid
  /** The rows behind it, to go to the next and the previous one. */
  rows?: Rows | undefined
}

/** A record over the grid it comes from; it has an address of its own and opens to a page. */
export function RecordPanel({ description, relation, laid, rows }: RecordPanelProps) {
  const words = useWords()
  const close = () => navigate(`${dataPath(relation.schema, relation.name)}${viewSearch()}`)
  return (
    <Sheet open onClose={close} label={laid === 'new' ? words.newIn(relationLabel(relation)) : relationLabel(relation)}>
      {laid === 'new'
        ? <NewRecord {...{ description, relation }} place="panel" onClose={close} onLeave={close} />
        : (
            <RecordView
              key={laid.record.join('\n')}
              {...{ description, relation }}
              recordKey={laid.record}
              place="panel"
              neighbours={neighbours(relation, rows, laid.record)}
              onClose={close}
              onLeave={close}
            />
          )}
    </Sheet>
  )
}

export interface Neighbours {
  before: string | undefined
  after: string | undefined
}

// Only among the rows at hand: the record may have been opened by its address alone.
function neighbours(relation: Relation, rows: Rows | undefined, key: readonly string[]): Neighbours {
  const loaded = rows?.loaded ?? []
  const at = loaded.findIndex((row) => keyOf(relation, row)?.every((value, index) => value === key[index]) === true)
  const href = (index: number) => {
    const row = at < 0 ? undefined : loaded[index]
    return row && rowHref(relation, row)
  }
  return { before: at > 0 ? href(at - 1) : undefined, after: href(at + 1) }
}

/** The grid's own state in the address, without what belongs to the panel. */
export function viewSearch(): string {
  const parameters = new URLSearchParams(location.search)
  for (const name of Array.from(parameters.keys())) if (name === 'page' || name === 'row' || name.startsWith('set.')) parameters.delete(name)
  const text = parameters.toString().replaceAll('%2C', ',').replaceAll('%7E', '~')
  return text === '' ? '' : `?${text}`
}
