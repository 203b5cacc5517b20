import { tableAt } from './table-at.ts'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { unwrap } from '#api/unwrap.ts'
import type { Description, ForeignKey } from '#features/data/description/description.ts'
import { kindOf } from '#features/data/description/field-kind.ts'
import { findColumn, findRelation, keyColumns, type Relation } from '#features/data/description/relations.ts'
import { titleOf, titleSearchColumns, type Title } from '#features/data/description/title.ts'
import type { Source } from '#features/data/source.ts'
import { applyClauses } from '#features/data/view/apply.ts'
import type { Clause } from '#features/data/view/clause.ts'
import { columnName, likePattern } from '#features/data/view/wire-text.ts'
import { keyOf } from './address.ts'
import type { Row } from './row.ts'
import { relationKey } from './rows-query.ts'
import { embeddedRow, titleColumns, titleText, type Selection } from './selection.ts'

/** One row a foreign key can point at. */
export interface Choice {
  /** The values of the referenced columns, in the foreign key's order. */
  values: string[]
  title: string
  /** A second word that tells equal titles apart. */
  note?: string
}

/** A foreign key with the relation it points at, as a picker needs it. */
export interface Picker {
  fk: ForeignKey
  target: Relation
  title: Title
}

/** The picker of a foreign key; undefined when its target cannot be looked through. */
export function pickerOf(description: Description, fk: ForeignKey): Picker | undefined {
  const target = findRelation(description, fk.schema, fk.table)
  return target?.can.select === true ? { fk, target, title: titleOf(description, target) } : undefined
}

export const choicesShown = 25

/** Rows whose title holds the words. `fixed`: values that other columns have already settled, by referenced column. */
export const choicesQuery = (source: Source, picker: Picker, { search, fixed }: { search: string; fixed: Readonly<Record<string, string>> }) =>
  queryOptions({
    queryKey: [...relationKey(source, picker.target), 'choices', picker.fk.to, search, fixed] as const,
    queryFn: ({ signal }) => readChoices(source, picker, { clauses: [...fixedClauses(fixed), ...searchClauses(picker, search)], search, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** The row a foreign key points at now, wherever it stands in the list. Null when it is gone or withheld. */
export const choiceQuery = (source: Source, picker: Picker, values: readonly string[]) =>
  queryOptions({
    queryKey: [...relationKey(source, picker.target), 'choice', picker.fk.to, values] as const,
    queryFn: async ({ signal }): Promise<Choice | null> => {
      const fixed = Object.fromEntries(picker.fk.to.map((column, index) => [column, values[index] ?? '']))
      return (await readChoices(source, picker, { clauses: fixedClauses(fixed), search: '', signal }))[0] ?? null
    },
    staleTime: 30_000,
  })

/** Tells a picker what the row it holds is called, as it was read along with ours; the picker still asks for the rest. */
export function nameChoice(queries: QueryClient, source: Source, { picker, row, selection }: { picker: Picker; row: Row; selection: Selection }): void {
  const { fk } = picker
  const embed = [...selection.embeds.values()].find((one) => one.fk.columns.join('\n') === fk.columns.join('\n') && one.fk.table === fk.table)
  const target = embed && embeddedRow(row, embed)
  const title = target && titleText(embed.title, target, keyOf(embed.target, target))
  if (title === undefined) return
  const values = fk.columns.map((name) => String(row[name]))
  // Older than anything: it is shown at once and read anew.
  queries.setQueryData(choiceQuery(source, picker, values).queryKey, (held) => held ?? { values, title }, { updatedAt: 0 })
}

interface Asked {
  clauses: Clause[]
  search: string
  signal: AbortSignal
  limit?: number
}

/** The rows of a picker that fit, by title. */
export async function readChoices({ client }: Source, picker: Picker, { clauses, search, signal, limit = choicesShown }: Asked): Promise<Choice[]> {
  const { target, title, fk } = picker
  const note = noteColumn(picker)
  const names = [...new Set([...fk.to, ...(note === undefined ? [] : [note])])].filter((name) => !(keyColumns(target) ?? []).includes(name) && !(title.from === 'column' && title.column === name))
  let select = [titleColumns(target, title), ...names.map(columnName)].join(',')
  if (title.from === 'row' && search !== '') select = select.replace(`!${columnName(title.fk.name)}(`, `!${columnName(title.fk.name)}!inner(`)
  const request = applyClauses(tableAt(client, target).select(select), clauses)
  const ordered = title.from === 'column' ? request.order(columnName(title.column)) : request
  const rows = (await unwrap(ordered.limit(limit).abortSignal(signal))) as unknown as Row[]
  return rows.map((row) => choiceFrom(picker, row, note))
}

function choiceFrom({ fk, target, title }: Picker, row: Row, note: string | undefined): Choice {
  const values = fk.to.map((column) => String(row[column] ?? ''))
  const extra = note === undefined ? null : row[note]
  return {
    values,
    title: titleText(title, row, keyOf(target, row)) ?? values.join(', '),
    ...(typeof extra === 'string' && extra !== '' ? { note: extra } : {}),
  }
}

const noteColumn = ({ target, title }: Picker): string | undefined =>
  titleSearchColumns(target).find((name) => !(title.from === 'column' && title.column === name))

const fixedClauses = (fixed: Readonly<Record<string, string>>): Clause[] =>
  Object.entries(fixed).map(([column, value]) => ({ column: columnName(column), operator: 'eq', value }))

function searchClauses({ target, title, fk }: Picker, search: string): Clause[] {
  const words = search.trim()
  if (words === '') return []
  const pattern = `%${likePattern(words)}%`
  if (title.from === 'row') return [{ column: `spoken_for.${columnName(title.title.column)}`, operator: 'ilike', value: pattern }]
  const names = new Set([...(title.from === 'column' ? [title.column] : []), ...titleSearchColumns(target)])
  const texts: Clause[] = [...names].map((name) => ({ column: columnName(name), operator: 'ilike', value: pattern }))
  const keys = fk.to.filter((name) => couldHold(target, name, words)).map((name): Clause => ({ column: columnName(name), operator: 'eq', value: words }))
  return [...texts, ...keys].length > 0 ? [{ any: [...texts, ...keys] }] : []
}

function couldHold(relation: Relation, name: string, words: string): boolean {
  const column = findColumn(relation, name)
  switch (column && kindOf(column)) {
    case 'integer': return /^\d{1,9}$/.test(words)
    case 'uuid': return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(words)
    default: return false
  }
}
