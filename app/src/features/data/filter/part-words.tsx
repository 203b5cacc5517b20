import { Fragment } from 'react'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import { findColumn } from '#features/data/description/relations.ts'
import { ReferenceTitle } from '#features/data/form/reference-title.tsx'
import { inputOf, type Condition, type FilterPart, type Operator } from '#features/data/view/filter.ts'
import { columnLabel, useWords } from '#features/data/words.ts'
import { useFormat } from '#messages/messages.tsx'
import css from './filter.module.css'
import { filterPicker } from './filter-column.ts'

/** One part of the sentence: "status is open or waiting". */
export function PartWords({ part, shared }: { part: FilterPart; shared: RelationView }) {
  const words = useWords()
  return (
    <span className={css.sentence}>
      {part.any.map((condition, index) => (
        <Fragment key={index}>
          {index > 0 && <span className={css.joint}> {words.or} </span>}
          <ConditionWords condition={condition} shared={shared} />
        </Fragment>
      ))}
    </span>
  )
}

function ConditionWords({ condition, shared }: { condition: Condition; shared: RelationView }) {
  const words = useWords()
  const { relation } = shared
  const column = findColumn(relation, condition.column)
  const label = column ? columnLabel(relation, column) : condition.column
  return (
    <>
      {label} <span className={css.joint}>{words.operators[condition.operator]}</span>{inputOf(condition.operator) !== 'none' && <> <Values condition={condition} shared={shared} /></>}
    </>
  )
}

function Values({ condition, shared }: { condition: Condition; shared: RelationView }) {
  const words = useWords()
  const format = useFormat()
  const { description, relation } = shared
  const { operator, values } = condition
  const column = findColumn(relation, condition.column)
  const picker = column && filterPicker(description, relation, column)
  const given = values.filter((value) => value !== '')
  const joints: Partial<Record<Operator, string>> = words.joints
  const joint = joints[operator] ?? (inputOf(operator) === 'many' ? words.or : '')
  const shown = given.slice(0, 3)
  return (
    <>
      {shown.map((value, index) => (
        <Fragment key={index}>
          {index > 0 && <span className={css.joint}> {joint} </span>}
          <b className={css.value}>{picker ? <ReferenceTitle picker={picker} value={value} /> : written(value, format.date)}</b>
        </Fragment>
      ))}
      {given.length > shown.length && <span className={css.joint}> {words.andMore(given.length - shown.length)}</span>}
    </>
  )
}

function written(value: string, writeDate: (date: Date) => string): string {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
  return day ? writeDate(new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]))) : value
}
