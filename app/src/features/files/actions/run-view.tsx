import { FilesFailure, useFailureWords } from '#features/files/files-failure.tsx'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import type { BatchFailure } from './batch.ts'
import css from './actions.module.css'
import type { Run } from './use-run.ts'

/** How far something over many files is, and what did not work. */
export function RunView({ run }: { run: Run }) {
  const { files: words } = useMessages()
  const format = useFormat()
  switch (run.step) {
    case 'ready': return null
    case 'failed': return <FilesFailure error={run.error} layout="line" />
    case 'running': {
      const { done, total, failures } = run.progress
      return (
        <div className={css.running}>
          {total === undefined
            ? <progress className={css.progress} aria-label={words.inProgress} />
            : <progress className={css.progress} value={done + failures.length} max={Math.max(1, total)} aria-label={words.inProgress} />}
          <p role="status" className={css.count}>{total === undefined ? words.counting(format.number(done)) : words.doneOf(format.number(done), format.number(total))}</p>
        </div>
      )
    }
    case 'over': return (
      <>
        {!run.result.isWhole && <Banner tone="warning">{words.stopped(run.result.done)}</Banner>}
        {run.result.failures.length > 0 && <Failures failures={run.result.failures} done={run.result.done} />}
      </>
    )
  }
}

const shownAtMost = 200

function Failures({ failures, done }: { failures: readonly BatchFailure[]; done: number }) {
  const { files: words } = useMessages()
  const wordsOf = useFailureWords()
  return (
    <div className={css.failures} role="alert">
      <p className={css.failuresTitle}>{words.partFailed(done, failures.length)}</p>
      <ul className={css.names} tabIndex={0} aria-label={words.notDone}>
        {failures.slice(0, shownAtMost).map(({ path, error }) => (
          <li key={path}>
            <span className={css.path} title={path}>{path}</span>
            <span className={css.why}>{wordsOf(error).title}</span>
          </li>
        ))}
        {failures.length > shownAtMost && <li>{words.andMore(failures.length - shownAtMost)}</li>}
      </ul>
    </div>
  )
}
