import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useForm, useWatch, type Resolver } from 'react-hook-form'
import { toAppError } from '#api/unwrap.ts'
import type { AppError } from '#api/app-error.ts'
import { technicalText } from '#features/data/data-failure.tsx'
import type { Relation } from '#features/data/description/relations.ts'
import { useWords } from '#features/data/words.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDraft, type Draft } from '#session/drafts.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'
import { classNames } from '#ui/class-names.ts'
import { FieldControl, isWideField } from './field-control.tsx'
import { changedColumns, sameField, type FieldValue, type FieldValues } from './field-value.ts'
import css from './form.module.css'
import { findProblems, type FormField } from './form-fields.ts'
import { useLeaveGuard } from './leave-guard.tsx'
import { problemText, refusalText } from './problem-words.ts'
import { readRefusal } from './refusal.ts'

export interface RecordFormProps {
  relation: Relation
  fields: readonly FormField[]
  /** What the fields open with. */
  opened: FieldValues
  /** Values given on the way here count as changes. */
  given?: FieldValues
  draftKey: string
  isNew: boolean
  saveLabel: string
  /** Saves, or says what stands in the way. Throws when the project refuses or does not answer. */
  onSave: (values: FieldValues, changed: readonly string[]) => Promise<ReactNode>
  /** Without it there is nothing to go back to. */
  onCancel?: () => void
  /** Said below the fields, where nothing moves for it, by what was changed so far. */
  notice?: (form: FormAtHand) => ReactNode
  /** Stands in a page that scrolls, not in a panel of its own. */
  inPage?: boolean
  /** Heads what the project refused; "Not saved" unless said otherwise. */
  refusedTitle?: string
  /** Said where there are no fields. */
  emptyNote?: string
}

export interface FormAtHand {
  changed: readonly string[]
  set: (column: string, value: FieldValue) => void
}

// Column names may hold dots, which the form library reads as paths.
const nameOf = (index: number): string => `f${index}`

const isDraft = (value: unknown): value is FieldValues => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of a row with their rules; what is typed outlives a refusal, a lost network and a lost session. */
export function RecordForm(props: RecordFormProps) {
  const { relation, fields, isNew, onCancel, inPage } = props
  const words = useWords()
  const { control, values, changed, isSaving, isUnsaved, failure, isRestored, set, submit, discard, forget } = useRecordForm(props)
  const guard = useLeaveGuard(isUnsaved, forget)
  const form = useFirstFocus(inPage !== true)
  return (
    <form
      ref={form}
      className={classNames(css.form, inPage && css.inPage)}
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') void submit()
      }}
    >
      <div className={css.scroll}>
        {isRestored && (
          <div className={css.notice}>
            <Banner tone="info" role="status" action={<Button variant="quiet" onClick={discard}>{words.discardDraft}</Button>}>{words.draftRestored}</Banner>
          </div>
        )}
        {fields.length === 0 && <p className={css.state}>{props.emptyNote}</p>}
        <div className={css.fields}>
          {fields.map((field, index) => (
            <div key={field.column.name} className={classNames(css.field, isWideField(field, values[field.column.name]) && css.wide)}>
              <FieldControl relation={relation} field={field} name={nameOf(index)} control={control} values={values} isNew={isNew} onSet={set} />
            </div>
          ))}
        </div>
      </div>
      <footer className={css.footer}>
        {props.notice?.({ changed, set })}
        {failure && <div className={css.failure}>{failure}</div>}
        <span className={css.state}>{changed.length > 0 && !isNew ? words.changes(changed.length) : ''}</span>
        {onCancel && <Button onClick={() => (isUnsaved ? guard.ask(onCancel) : onCancel())}>{words.cancel}</Button>}
        <Button variant="primary" type="submit" pending={isSaving} disabled={!isNew && changed.length === 0}>{props.saveLabel}</Button>
      </footer>
      {guard.question}
    </form>
  )
}

/** Whoever opens a form means to type; a touch screen would raise its keyboard over it. */
function useFirstFocus(wanted: boolean) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (wanted && matchMedia('(pointer: fine)').matches) form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true })
  }, [wanted])
  return form
}

function useRecordForm({ relation, fields, opened, given, draftKey, refusedTitle, onSave }: RecordFormProps) {
  const words = useWords()
  const drafts = useDraft(draftKey, isDraft)
  const [failure, setFailure] = useState<ReactNode>()
  const [isRestored, setRestored] = useState(drafts.draft !== null)
  const named = (held: FieldValues) => Object.fromEntries(fields.map(({ column }, index) => [nameOf(index), held[column.name]]))

  const { control, handleSubmit, setValue, setError, reset, formState } = useForm<FieldValues>({
    defaultValues: named({ ...opened, ...given, ...drafts.draft }),
    resolver: useResolver(relation, fields),
    reValidateMode: 'onChange',
  })
  const values = byColumn(fields, useWatch({ control }))
  const changed = changedColumns(opened, values)
  const kept = changed.length === 0 ? '' : JSON.stringify(Object.fromEntries(changed.map((name) => [name, values[name]])))
  useKept(kept, drafts)
  // A form that stays after it was sent has nothing to lose until it is changed again.
  const [sent, setSent] = useState('')

  const set = (column: string, value: FieldValue) => {
    const index = fields.findIndex((field) => field.column.name === column)
    if (index >= 0) setValue(nameOf(index), value, { shouldDirty: true, shouldValidate: formState.isSubmitted })
  }
  const showRefusal = (error: AppError) => {
    const refusal = readRefusal(relation, error)
    const text = refusal && refusalText(words, refusal)
    const places = fields.flatMap((field, index) => (refusal?.columns.includes(field.column.name) === true ? [index] : []))
    places.forEach((index, order) => setError(nameOf(index), { type: 'refused', message: text ?? '' }, { shouldFocus: order === 0 }))
    setFailure(places.length > 0 ? undefined : <SaveFailure error={error} text={text} title={refusedTitle} />)
  }
  useFollow(opened, (column, before) => sameField(before, values[column]) && set(column, opened[column]))
  const submit = handleSubmit(async () => {
    setFailure(undefined)
    try {
      const problem = await onSave(values, changed)
      if (problem) return setFailure(problem)
      drafts.clear()
      setSent(kept)
    } catch (cause) {
      showRefusal(toAppError(cause))
    }
  })
  const discard = () => {
    drafts.clear()
    setRestored(false)
    reset(named({ ...opened, ...given }))
  }
  const isUnsaved = kept !== '' && kept !== sent && !formState.isSubmitting
  return { control, values, changed, isSaving: formState.isSubmitting, isUnsaved, failure, isRestored, set, submit, discard, forget: drafts.clear }
}

function useResolver(relation: Relation, fields: readonly FormField[]): Resolver<FieldValues> {
  const words = useWords()
  return (values) => {
    const problems = findProblems(relation, fields, byColumn(fields, values))
    const errors = Object.fromEntries(fields.flatMap(({ column }, index) => {
      const problem = problems.get(column.name)
      return problem ? [[nameOf(index), { type: problem.problem, message: problemText(words, relation, problem) }]] : []
    }))
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }
}

const byColumn = (fields: readonly FormField[], values: FieldValues): FieldValues =>
  Object.fromEntries(fields.map(({ column }, index) => [column.name, values[nameOf(index)]]))

/** What the fields open with may change while they are open: a field nobody has typed in follows. */
function useFollow(opened: FieldValues, follow: (column: string, before: FieldValue) => void): void {
  const last = useRef(opened)
  useLayoutEffect(() => {
    const before = last.current
    last.current = opened
    if (before === opened) return
    for (const column of Object.keys(opened)) if (!sameField(before[column], opened[column])) follow(column, before[column])
  })
}

/** Keeps the draft beside the form, for a reload, a lost session and a browser that ends. */
function useKept(kept: string, { save, clear }: Pick<Draft<FieldValues>, 'save' | 'clear'>): void {
  useEffect(() => {
    if (kept === '') clear()
    else save(JSON.parse(kept) as FieldValues)
  }, [kept, save, clear])
}

function SaveFailure({ error, text, title }: { error: AppError; text: string | undefined; title: string | undefined }) {
  const { errors } = useMessages()
  const words = useWords()
  const known = errors.byCode[error.code] ?? errors.byKind[error.kind]
  return (
    <Banner tone="danger" title={text === undefined ? known.title : (title ?? words.notSaved)}>
      {errors.sentences(text ?? known.whatToDo, words.workKept)}
      <TechnicalDetails text={technicalText(error)} />
    </Banner>
  )
}
