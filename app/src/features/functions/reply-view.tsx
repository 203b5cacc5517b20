import { useEffect, useState, type RefObject } from 'react'
import { explain } from '#api/explain.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Chip } from '#ui/chip.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { findRefusal, ownWords } from './refusal.ts'
import css from './reply.module.css'
import { ReplyBodyView } from './reply-body.tsx'
import type { Reply, ReplyBody, ReplyHead } from './reply.ts'

/** What came back, as it comes. */
export function ReplyView({ reply, name, heading }: { reply: Reply; name: string; heading: RefObject<HTMLHeadingElement | null> }) {
  const { functions: words } = useMessages()
  return (
    <section className={css.reply} aria-label={words.reply}>
      <h2 ref={heading} className={css.heading} tabIndex={-1}>{words.reply}</h2>
      <Course reply={reply} name={name} />
    </section>
  )
}

function Course({ reply, name }: { reply: Reply; name: string }) {
  const { functions: words, errors } = useMessages()
  switch (reply.step) {
    case 'idle': return <EmptyState icon="bolt" title={words.noReply}>{words.noReplyHint}</EmptyState>
    case 'waiting': return <Waiting startedAt={reply.startedAt} />
    case 'unanswered': return <Banner tone={reply.why === 'stopped' ? 'info' : 'danger'} title={words.noAnswers[reply.why].title}>{words.noAnswers[reply.why].whatToDo}</Banner>
    case 'refused': {
      const { title, whatToDo } = explain(reply.error, errors)
      return <Banner tone="danger" title={title}>{whatToDo}</Banner>
    }
    case 'receiving': return <Answer head={reply.head} body={reply.body} name={name} />
    case 'done': return <Answer head={reply.head} body={reply.body} name={name} totalMs={reply.totalMs} end={reply.end} />
  }
}

function Waiting({ startedAt }: { startedAt: number }) {
  const { functions: words } = useMessages()
  const format = useFormat()
  const [now, setNow] = useState(startedAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return <p className={css.waiting}><Spinner /> <span role="status">{words.waiting}</span> <span aria-hidden>{format.number((now - startedAt) / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s</span></p>
}

type Ended = Extract<Reply, { step: 'done' }>

function Answer({ head, body, name, totalMs, end }: { head: ReplyHead; body: ReplyBody; name: string; totalMs?: number; end?: Ended['end'] }) {
  const { functions: words } = useMessages()
  return (
    <>
      <Facts {...{ head, body, totalMs }} />
      {totalMs !== undefined && <Refused head={head} body={body} />}
      {end !== undefined && end !== 'whole' && <Banner tone="warning">{words.ends[end]}</Banner>}
      <Tabs
        label={words.reply}
        items={[
          { id: 'body', label: head.kind === 'events' ? words.replyParts.events : words.replyParts.body, ...(head.kind === 'events' && { count: body.events.length }), content: <div className={css.panel}><ReplyBodyView {...{ head, body, name }} isWhole={totalMs !== undefined} /></div> },
          { id: 'headers', label: words.replyParts.headers, count: head.headers.length, content: <div className={css.panel}><HeaderTable head={head} /></div> },
        ]}
      />
    </>
  )
}

const toneOf = (status: number) => (status >= 500 ? 'danger' : status >= 400 ? 'warning' : status >= 300 ? 'info' : 'success')

function Facts({ head, body, totalMs }: { head: ReplyHead; body: ReplyBody; totalMs: number | undefined }) {
  const { functions: words } = useMessages()
  const format = useFormat()
  return (
    <p className={css.facts} role="status">
      <Chip tone={toneOf(head.status)}>{head.status}{head.statusText && ` ${head.statusText}`}</Chip>
      <span>{words.firstByte(format.number(head.firstByteMs))}</span>
      {totalMs === undefined ? <span className={css.receiving}><Spinner size={12} /> {words.receiving}</span> : <span>{words.whole(format.number(totalMs))}</span>}
      <span>{format.bytes(body.sizeBytes)}</span>
      {head.redirectedTo && <span className={css.wrap}>{words.redirected} {head.redirectedTo}</span>}
    </p>
  )
}

/** Who refused and what to do; and what the refusal says itself. */
function Refused({ head, body }: { head: ReplyHead; body: ReplyBody }) {
  const { functions: words } = useMessages()
  const refusal = findRefusal(head, body)
  if (!refusal) return null
  const { title, whatToDo } = words.refusals[refusal]
  const { code, message } = ownWords(body.text)
  return (
    <Banner tone={refusal === 'own' ? 'warning' : 'danger'} title={title}>
      <p>{whatToDo}</p>
      {message && <p className={css.wrap}>{words.itSays} <q>{message}</q>{code && <> <code className={css.mono}>{code}</code></>}</p>}
    </Banner>
  )
}

function HeaderTable({ head }: { head: ReplyHead }) {
  const { functions: words } = useMessages()
  return (
    <>
      <div className={css.tablePlace} tabIndex={0} role="region" aria-label={words.replyParts.headers}>
        <table className={css.table}>
          <tbody>
            {head.headers.map(([header, value]) => (
              <tr key={header}><th scope="row">{header}</th><td>{value}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={css.muted}>{words.fewHeaders}</p>
    </>
  )
}
