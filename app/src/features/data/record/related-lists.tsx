import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { DataFailure } from '#features/data/data-failure.tsx'
import type { Description, Reference } from '#features/data/description/description.ts'
import { kindOf } from '#features/data/description/field-kind.ts'
import { findRelation, references, type Relation } from '#features/data/description/relations.ts'
import { humaniseReference } from '#features/data/description/humanise.ts'
import { CellValue } from '#features/data/grid/cell-value.tsx'
import { cellText } from '#features/data/grid/cell-text.ts'
import { orderForReading } from '#features/data/grid/column-layout.ts'
import { isChoice } from '#features/data/grid/shown-column.ts'
import { dataPath, keyOf } from '#features/data/rows/address.ts'
import { relatedCountQuery, relatedRowsQuery } from '#features/data/rows/related-query.ts'
import type { Row } from '#features/data/rows/row.ts'
import { selectionOf } from '#features/data/rows/selection.ts'
import { useSource } from '#features/data/source.ts'
import { writeView } from '#features/data/view/view-state.ts'
import { columnLabel, relationLabel, useWords } from '#features/data/words.ts'
import { useFormat } from '#messages/messages.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import css from './record.module.css'

/** Rows of other relations that belong to this record, one list for each way they do. */
export function RelatedLists({ description, relation, row, heading }: { description: Description; relation: Relation; row: Row; heading: 'h2' | 'h3' }) {
  const lists = references(description, relation).flatMap((reference) => {
    const child = findRelation(description, reference.schema, reference.table)
    return child ? [{ reference, child }] : []
  })
  return (
    <>
      {lists.map(({ reference, child }) => (
        <RelatedList
          key={`${reference.schema}.${reference.table}.${reference.columns.join()}`}
          {...{ description, reference, child, row, heading }}
          // Two ways to belong to the same record are told apart by their column.
          isAmbiguous={lists.filter((other) => other.child.name === child.name).length > 1}
        />
      ))}
    </>
  )
}

interface RelatedListProps {
  description: Description
  reference: Reference
  child: Relation
  row: Row
  /** One step below the record's own title. */
  heading: 'h2' | 'h3'
  isAmbiguous: boolean
}

function RelatedList({ description, reference, child, row, heading: Heading, isAmbiguous }: RelatedListProps) {
  const words = useWords()
  const format = useFormat()
  const source = useSource()
  const names = useMemo(() => orderForReading(description, child).filter((name) => !reference.columns.includes(name)).slice(0, 8), [description, child, reference])
  const selection = useMemo(() => selectionOf(description, child, names), [description, child, names])
  const wanted = { child, reference, row, select: selection.text }
  const rows = useQuery(relatedRowsQuery(source, wanted))
  const count = useQuery(relatedCountQuery(source, wanted))
  const label = isAmbiguous ? words.relatedBy(relationLabel(child), humaniseReference(reference.columns.at(-1) ?? '')) : relationLabel(child)
  const filtered = `${dataPath(child.schema, child.name)}${writeView({ search: '', sort: [], filter: reference.columns.map((column, index) => ({ any: [{ column, operator: 'in', values: [String(row[reference.to[index] ?? ''] ?? '')] }] })) })}`
  const adding = new URLSearchParams(reference.columns.map((column, index) => [`set.${column}`, String(row[reference.to[index] ?? ''] ?? '')]))
  const canAdd = child.can.insert && reference.columns.every((column) => child.columns.some(({ name, can }) => name === column && can.includes('i')))

  return (
    <section className={css.related} aria-label={label}>
      <header className={css.relatedHead}>
        <Heading className={css.relatedName}>{label}</Heading>
        {count.data !== undefined && <span className={css.relatedCount}>{format.number(count.data)}</span>}
        <span className={css.space} />
        {canAdd && <ButtonLink variant="quiet" icon="plus" href={`${dataPath(child.schema, child.name, 'new')}?${adding.toString()}`} aria-label={words.newIn(label)}>{words.new}</ButtonLink>}
        <ButtonLink variant="quiet" href={filtered} aria-label={words.seeAllOf(label)}>{words.seeAll}</ButtonLink>
      </header>
      {rows.isPending ? <Skeleton label={words.loadingRows} lines={2} /> : rows.isError ? <DataFailure layout="line" error={rows.error} onRetry={() => void rows.refetch()} retrying={rows.isFetching} /> : rows.data.length === 0 ? <p className={css.none}>{words.noRelated}</p> : (
        <ul className={css.relatedRows}>
          {rows.data.map((related, index) => <RelatedRow key={keyOf(child, related)?.join() ?? index} {...{ description, child, related, names }} embeds={selection.embeds} />)}
        </ul>
      )}
    </section>
  )
}

function RelatedRow({ description, child, related, names, embeds }: { description: Description; child: Relation; related: Row; names: readonly string[]; embeds: ReturnType<typeof selectionOf>['embeds'] }) {
  const columns = child.columns.filter(({ name }) => names.includes(name))
  const first = columns.find(({ name }) => name === names.find((candidate) => !isKeyLike(child, candidate))) ?? columns[0]
  const details = [columns.find((column) => column !== first && isChoice(description, child, column)), columns.find((column) => column !== first && ['timestamptz', 'timestamp', 'date'].includes(kindOf(column)))]
  const key = keyOf(child, related)
  const content = (
    <>
      <span className={css.relatedTitle}>{first && (embeds.get(first.name) ? <EmbedText column={first} related={related} embed={embeds.get(first.name)} /> : <CellValue column={first} row={related} />)}</span>
      {details.map((column) => column && <span key={column.name} className={css.relatedDetail} title={columnLabel(child, column)}><CellValue column={column} row={related} isChoice={isChoice(description, child, column)} /></span>)}
    </>
  )
  return <li>{key ? <Link variant="plain" className={css.relatedLink} href={dataPath(child.schema, child.name, key)}>{content}</Link> : <span className={css.relatedLink}>{content}</span>}</li>
}

// The line is a link already, so the other row's title stands as words.
function EmbedText({ column, related, embed }: { column: Relation['columns'][number]; related: Row; embed: ReturnType<ReturnType<typeof selectionOf>['embeds']['get']> }) {
  return <>{String(embed ? cellText({ column, embed }, related) ?? '' : '')}</>
}

const isKeyLike = (relation: Relation, name: string): boolean =>
  relation.primary_key?.length === 1 && relation.primary_key[0] === name
