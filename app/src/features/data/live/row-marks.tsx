import type { RowMark } from '#features/data/grid/live-overlay.ts'
import { keyOf } from '#features/data/rows/address.ts'
import { rowId } from '#features/data/rows/own-writes.ts'
import type { Row } from '#features/data/rows/row.ts'
import type { Relation } from '#features/data/description/relations.ts'
import { useMessages } from '#messages/messages.tsx'
import { Faces, useNames } from './faces.tsx'
import css from './live.module.css'
import type { PeopleFeed, Person } from './people.ts'
import type { WatchState } from './table-watch.ts'

interface Around {
  relation: Relation
  people: PeopleFeed | undefined
  here: readonly Person[]
}

/** Gives what is drawn of a row's mark: the same object as long as it says the same, so that only marked rows are drawn anew. */
export function rowMarks({ relation, people, here }: Around): (row: Row, marks: WatchState['marks']) => RowMark | undefined {
  const kept = new Map<string, { from: unknown; mark: RowMark }>()
  const byRecord = new Map<string, { person: Person; isEditing: boolean }[]>()
  for (const person of here) for (const [mark, { isEditing }] of person.records) byRecord.set(mark, [...(byRecord.get(mark) ?? []), { person, isEditing }])

  return (row, marks) => {
    if (marks.size === 0 && byRecord.size === 0) return undefined
    const key = keyOf(relation, row)
    if (!key) return undefined
    const id = rowId(relation, key)
    const own = marks.get(id)
    const at = byRecord.size > 0 ? byRecord.get(people?.markOf(key) ?? '') : undefined
    if (!own && !at) return undefined
    const known = kept.get(id)
    if (known && known.from === own) return known.mark
    const faces = at && <AtRecord people={at.map(({ person }) => person)} isEditing={at.some(({ isEditing }) => isEditing)} />
    const mark: RowMark = { kind: own?.kind ?? 'still', columns: own?.columns, people: faces }
    kept.set(id, { from: own, mark })
    return mark
  }
}

/** What people do with a record, in words. */
export function useDoing(people: readonly Person[], isEditing: boolean): string {
  const { live } = useMessages()
  const names = useNames(people)
  const [first = live.someone] = names
  if (isEditing) return names.length > 1 ? live.areEditing(names) : live.isEditing(first)
  return names.length > 1 ? live.areLooking(names) : live.isLooking(first)
}

function AtRecord({ people, isEditing }: { people: readonly Person[]; isEditing: boolean }) {
  const label = useDoing(people, isEditing)
  return <span className={css.atRecord}><Faces people={people.slice(0, 1)} label={label} size={18} isEditing={isEditing} /></span>
}
