import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { unwrap } from '#api/unwrap.ts'
import { DataFailure } from '#features/data/data-failure.tsx'
import type { Description, FunctionDescription } from '#features/data/description/description.ts'
import { findFunction, findRelation, listGroups, type Relation } from '#features/data/description/relations.ts'
import type { FieldValues } from '#features/data/form/field-value.ts'
import { useSource } from '#features/data/source.ts'
import { useKnowledge } from '#features/data/use-knowledge.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { useProject } from '#session/session.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { argumentsAsRelation } from './arguments.ts'
import css from './call.module.css'
import { CallResult } from './call-result.tsx'

const CallForm = lazy(async () => ({ default: (await import('./call-form.tsx')).CallForm }))

/** One function of the project: a form for its arguments, and what it gave back. */
export function CallScreen({ schema, name }: { schema: string; name: string }) {
  const words = useWords()
  const project = useProject()
  const knowledge = useKnowledge()
  useEffect(() => {
    document.title = `${relationLabel({ name })} · ${project.name}`
  }, [name, project])

  if (knowledge.isPending) return <div className={css.page}><Skeleton label={words.loadingForm} lines={6} /></div>
  if (knowledge.isError) return <div className={css.page}><DataFailure error={knowledge.error} onRetry={() => void knowledge.refetch()} retrying={knowledge.isFetching} /></div>
  const { description } = knowledge.data
  const described = findFunction(description, schema, name)
  const isListed = listGroups(description).some((group) => group.name === schema && described !== undefined && group.functions.includes(described))
  if (!described || !isListed) {
    return (
      <div className={css.page}>
        <h1><VisuallyHidden>{relationLabel({ name })}</VisuallyHidden></h1>
        <EmptyState icon="function" title={words.functionMissing} action={<ButtonLink href="/data">{words.backToTables}</ButtonLink>}>{words.functionMissingHint}</EmptyState>
      </div>
    )
  }
  return <Call key={`${schema}.${name}`} {...{ description, described, schema }} />
}

export interface Answer {
  /** Tells one call's answer from the next. */
  call: number
  value: unknown
}

function Call({ description, described, schema }: { description: Description; described: FunctionDescription; schema: string }) {
  const words = useWords()
  const source = useSource()
  const queries = useQueryClient()
  const [answer, setAnswer] = useState<Answer>()
  const result = useRef<HTMLElement>(null)
  const relation = useMemo(() => argumentsAsRelation(schema, described), [schema, described])
  useEffect(() => {
    if (answer) result.current?.focus()
  }, [answer])

  const call = async (given: FieldValues) => {
    const value: unknown = await unwrap(source.client.schema(schema).rpc(described.name, given))
    setAnswer((before) => ({ call: (before?.call ?? 0) + 1, value }))
    // What a function changes only the project knows.
    if (described.volatility === 'volatile') void queries.invalidateQueries({ queryKey: [...source.scope, 'relation'] })
  }
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1 className={css.title} tabIndex={-1}>{relationLabel(described)}</h1>
        {described.comment && <p className={css.comment}><bdi>{described.comment}</bdi></p>}
        <p className={css.signature}>
          <code>{schema}.{described.name}</code>
          <Chip>{described.volatility === 'volatile' ? words.callWrites : words.callReads}</Chip>
        </p>
      </header>
      <Suspense fallback={<Skeleton label={words.loadingForm} lines={4} />}>
        <CallForm {...{ description, relation }} onCall={call} />
      </Suspense>
      {answer && (
        <section ref={result} className={css.result} tabIndex={-1} aria-label={words.result}>
          <h2 className={css.resultTitle}>{words.result}</h2>
          <CallResult key={answer.call} value={answer.value} relation={returned(description, described)} />
        </section>
      )}
    </div>
  )
}

// `schema.table`, when the rows are a relation's own.
function returned(description: Description, { returns }: FunctionDescription): Relation | undefined {
  const [schema = '', ...name] = (returns.relation ?? '').split('.')
  return returns.relation === undefined ? undefined : findRelation(description, schema, name.join('.'))
}
