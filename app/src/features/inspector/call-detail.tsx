import { useMemo } from 'react'
import { Link as RouterLink } from 'wouter'
import type { Call } from '#api/call-log.ts'
import { explain } from '#api/explain.ts'
import { refusalOfCode } from '#api/function-call.ts'
import { isReadable } from '#api/signed-out-check.ts'
import { toAppError } from '#api/unwrap.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { useProject } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { hasFailed } from './call-filter.ts'
import css from './calls.module.css'
import { curlOf } from './curl.ts'
import shared from './inspector.module.css'
import { Copyable, Facts } from './section.tsx'
import { shownPath } from './shown-path.ts'
import { findTiming } from './timing.ts'

/** One call: what was asked, what came back, what a refusal means, and the way to ask it again elsewhere. */
export function CallDetail({ call, onBack }: { call: Call; onBack: () => void }) {
  const { inspector: { calls: words } } = useMessages()
  const format = useFormat()
  const project = useProject()
  const timing = useMemo(() => findTiming(call), [call])
  const took = words.ms(format.number(call.durationMs))
  return (
    <div className={css.detail}>
      <div className={css.backPlace}><Button icon="arrow-left" onClick={onBack}>{words.back}</Button></div>
      <h2 className={css.detailTitle}><span className={css.method}>{call.method}</span> {shownPath(call.path)}</h2>
      {hasFailed(call) && <Explanation call={call} />}
      <Facts
        facts={[
          [words.status, call.status === 0 ? words.noAnswer : String(call.status)],
          [words.code, call.errorCode && <span key="code" className={shared.mono}>{call.errorCode}</span>],
          [words.as, call.role === 'user' ? words.asUserLong : words.asPublicLong],
          [words.sent, <DateTime key="at" value={new Date(call.at)} show="exact" />],
          [words.took, <>{took}{timing && <span className={shared.note}> · {words.waited(format.number(timing.waitedMs), format.number(timing.receivedMs))}</span>}</>],
          [words.size, call.sizeBytes === null ? '' : format.bytes(call.sizeBytes)],
          [words.request, call.requestId && <Copyable key="id" value={call.requestId} label={words.request} />],
        ]}
      />
      <div className={shared.actions}>
        <span><CopyButton value={curlOf(call, project.url)} label={words.copyCurl} /></span>
        {call.method === 'GET' && isReadable(call.path) && !call.path.includes('…') && (
          <RouterLink className={buttonClass({})} href={`/inspector?${new URLSearchParams({ tab: 'signed-out', path: call.path }).toString()}`}>{words.signedOut}</RouterLink>
        )}
      </div>
      <p className={shared.muted}>{words.copyCurlNote}</p>
    </div>
  )
}

/** The catalogue's words for the code, or for the kind of failure where nobody knows the code. */
function Explanation({ call }: { call: Call }) {
  const { errors, functions } = useMessages()
  const refusal = call.service === 'functions' ? refusalOfCode(call.errorCode) : undefined
  const { title, whatToDo } = refusal ? functions.refusals[refusal] : explain(toAppError({ message: '', code: call.errorCode }, call.status), errors)
  return <Banner tone="danger" role="none" title={title}>{whatToDo}</Banner>
}
