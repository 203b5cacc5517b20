import { useState } from 'react'
import { channelsOf } from '#api/channels.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { useConnection, useSessionStore, useUser } from '#session/session.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextArea } from '#ui/text-area.tsx'
import css from './inspector.module.css'
import { reportParts, writeReport, type ReportFacts, type ReportPart } from './report.ts'
import { Section } from './section.tsx'
import { useStored, type Stored } from './use-facts.ts'

/** What helps to find a fault, in a form to paste; what must not leave the browser is taken out, and said. */
export function ReportTab() {
  const { inspector: { report: words }, errors } = useMessages()
  const stored = useStored()
  const [note, setNote] = useState('')
  const [parts, setParts] = useState<ReadonlySet<ReportPart>>(new Set(reportParts))
  const toggle = (part: ReportPart) => setParts((before) => new Set(reportParts.filter((one) => before.has(one) !== (one === part))))
  return (
    <div className={css.inner}>
      <p className={`${css.muted} ${css.above}`}>{words.lead}</p>
      <Section heading={words.note} lead={words.noteHint}>
        <TextArea label={words.note} labelHidden className={css.noteText} value={note} onChange={(event) => setNote(event.target.value)} />
      </Section>
      <Section heading={words.parts}>
        <div className={css.choices}>{reportParts.map((part) => <Checkbox key={part} label={words.partNames[part]} checked={parts.has(part)} onChange={() => toggle(part)} />)}</div>
      </Section>
      <Section heading={words.text} lead={errors.sentences(words.neverIn, words.read)}>
        {stored.data ? <Written stored={stored.data} note={note} parts={parts} /> : <Skeleton label={words.text} lines={8} />}
      </Section>
    </div>
  )
}

function Written({ stored, note, parts }: { stored: Stored; note: string; parts: ReadonlySet<ReportPart> }) {
  const { inspector: { report: words } } = useMessages()
  const format = useFormat()
  const facts = useReportFacts(stored, note)
  const { text, removed } = writeReport(facts, parts, { ...words.partNames, note: words.note })
  return (
    <>
      <div className={css.actions}><CopyButton value={text} label={words.copy} /></div>
      <div className={css.muted} role="status">
        {removed.size === 0 ? words.nothingRemoved : words.removedTitle(format.list([...removed].map(([kind, count]) => words.removed[kind](count))))}
      </div>
      <pre className={`${css.json} ${css.tall}`} dir="ltr" tabIndex={0} role="region" aria-label={words.textRegion}>{text}</pre>
    </>
  )
}

function useReportFacts(stored: Stored, note: string): ReportFacts {
  const connection = useConnection()
  const { events } = useSessionStore()
  const user = useUser()
  const { project, calls } = connection
  const channels = channelsOf(connection)
  return {
    note,
    page: {
      path: location.pathname,
      projectUrl: project.url,
      browser: navigator.userAgent,
      language: navigator.language,
      window: `${innerWidth} × ${innerHeight}`,
      online: navigator.onLine,
    },
    stored,
    events: events.list(),
    calls: calls.list(),
    channels: channels.list(),
    known: [project.key, user.email ?? '', user.new_email ?? '', user.phone ?? ''],
  }
}
