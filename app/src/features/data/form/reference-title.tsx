import { useQuery } from '@tanstack/react-query'
import { choiceQuery, type Picker } from '#features/data/rows/choices-query.ts'
import { useSource } from '#features/data/source.ts'

/** The title of one referenced row, where there is room for words only. */
export function ReferenceTitle({ picker, value }: { picker: Picker; value: string }) {
  const source = useSource()
  const choice = useQuery(choiceQuery(source, picker, [value]))
  return <>{choice.data?.title ?? value}</>
}
