import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { AppError } from '#api/app-error.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { Section } from '#features/account/account-frame.tsx'
import css from '#features/account/account.module.css'
import { activityQuery, grantsQuery, packQuery, sessionsQuery, useAccountSource, usePack, type Reference } from '#features/account/queries.ts'
import { SaveOutcome } from '#features/account/save-outcome.tsx'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { useConnection } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { maxRows, saveFile, writeExport, type ExportProgress, type ExportResult } from './export.ts'
import own from './own-data.module.css'

type State = { step: 'ready' } | { step: 'working'; progress: ExportProgress } | { step: 'done'; result: ExportResult } | { step: 'failed'; error: AppError }

const keyOf = ({ schema, table, column }: Reference) => `${schema}.${table}.${column}`
const titleOf = ({ schema, table }: Reference) => (schema === 'public' ? table : `${schema}.${table}`)

/** One file with what the account holds; the rows of tables that name the person come along when wished. */
export function ExportSection() {
  const { export: words } = useMessages().ownData
  const pack = usePack()
  const references = pack?.references ?? []
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const { state, start, stop } = useExport((reference) => !left.has(keyOf(reference)))
  const toggle = (key: string) => setLeft((before) => new Set(before.has(key) ? [...before].filter((name) => name !== key) : [...before, key]))

  return (
    <Section heading={words.heading} lead={words.lead}>
      <p className={css.note}>{words.account}</p>
      {references.length > 0 && (
        <fieldset className={own.choices} disabled={state.step === 'working'}>
          <legend>{words.tables}</legend>
          {references.map((reference) => (
            <Checkbox key={keyOf(reference)} label={words.table(titleOf(reference), reference.column)} checked={!left.has(keyOf(reference))} onChange={() => toggle(keyOf(reference))} />
          ))}
        </fieldset>
      )}
      <Outcome state={state} />
      <div className={css.actions}>
        {state.step === 'working' ? (
          <Button onClick={stop}>{words.stop}</Button>
        ) : (
          <Button icon="download" onClick={() => void start()}>
            {words.start}
          </Button>
        )}
      </div>
    </Section>
  )
}

function Outcome({ state }: { state: State }) {
  const { export: words } = useMessages().ownData
  const format = useFormat()
  if (state.step === 'ready') return null
  if (state.step === 'failed') return <SaveOutcome state={state} />
  if (state.step === 'working') {
    const { done, steps, table, rows } = state.progress
    const what = words.working(table ? titleOf(table) : words.workingAccount)
    return (
      <div className={own.progress} role="status">
        <progress value={done} max={steps} aria-label={what} />
        <span>
          {what}
          {table && ` · ${words.rows(rows)}`}
        </span>
      </div>
    )
  }
  const { file, failed, cut } = state.result
  const missing = [...failed, ...cut.map((reference) => words.cut(titleOf(reference), maxRows))]
  return (
    <>
      <Banner tone="success">{words.done(format.bytes(file.size))}</Banner>
      {missing.length > 0 && <Banner tone="warning">{words.partly(format.list(missing))}</Banner>}
    </>
  )
}

/** Reads everything anew: what is on the screen may be older. */
function useExport(isWanted: (reference: Reference) => boolean) {
  const { client, project } = useConnection()
  const source = useAccountSource()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const [state, setState] = useState<State>({ step: 'ready' })
  const work = useRef<AbortController | undefined>(undefined)
  const fresh = { staleTime: 0 }

  const start = async () => {
    if (work.current || !(await stepUp('export'))) return
    const control = new AbortController()
    work.current = control
    try {
      // Whoever is quick presses before it is known what there is.
      const pack = await queries.ensureQueryData(packQuery(source))
      const result = await writeExport({
        client,
        project: { name: project.name, url: project.url },
        tables: (pack?.references ?? []).filter(isWanted),
        signal: control.signal,
        onProgress: (progress) => setState({ step: 'working', progress }),
        readers: {
          user: async () => (await unwrap(client.auth.getUser())).user,
          sessions: pack ? () => queries.fetchQuery({ ...sessionsQuery(source), ...fresh }) : null,
          activity: pack ? () => queries.fetchQuery({ ...activityQuery(source), ...fresh }) : null,
          apps: () => queries.fetchQuery({ ...grantsQuery(source), ...fresh }),
        },
      })
      saveFile(result.file, `${project.id}-account-${new Date().toISOString().slice(0, 10)}.json`)
      setState({ step: 'done', result })
    } catch (failure) {
      setState(control.signal.aborted ? { step: 'ready' } : { step: 'failed', error: toAppError(failure) })
    } finally {
      work.current = undefined
    }
  }
  return { state, start, stop: () => work.current?.abort() }
}
