import { useRef, useState } from 'react'
import { Link as RouterLink } from 'wouter'
import { useMessages } from '#messages/messages.tsx'
import { useProject } from '#session/session.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { Icon } from '#ui/icon.tsx'
import { FunctionActions } from './function-actions.tsx'
import css from './functions.module.css'
import { useHistory } from './history.ts'
import { PastCalls } from './past-calls.tsx'
import { ReplyView } from './reply-view.tsx'
import { RequestForm } from './request-form.tsx'
import { callOf } from './request.ts'
import { useFunctionCall } from './use-function-call.ts'
import { useRequest } from './use-request.ts'

/** `/functions/:name`: a request to fill in, and what came back. */
export function FunctionScreen({ name }: { name: string }) {
  const { functions: words } = useMessages()
  const { functions = [] } = useProject()
  const listed = functions.find((one) => one.name === name)
  const { request, change, sent } = useRequest(name, listed)
  const [file, setFile] = useState<File>()
  const { reply, send, stop } = useFunctionCall()
  const history = useHistory(name)
  const heading = useRef<HTMLHeadingElement>(null)

  const call = async () => {
    revealReply(heading.current)
    const end = await send(callOf(name, request, file))
    if (end.step === 'done') sent()
    history.add(name, request, end)
  }
  return (
    <div className={css.page}>
      <DocumentTitle>{`${listed?.title ?? name} · ${words.title}`}</DocumentTitle>
      <header className={css.head}>
        <RouterLink href="/functions" className={css.up}><Icon name="arrow-left" size={14} />{words.allFunctions}</RouterLink>
        <div className={css.headLine}>
          <div className={css.named}>
            <h1 className={css.title} tabIndex={-1}>{listed?.title ?? name}</h1>
            {listed?.title !== undefined && <code className={css.mono}>{name}</code>}
            {listed?.description && <p className={css.lead}>{listed.description}</p>}
          </div>
          <div className={css.headActions}><FunctionActions name={name} request={request} fileName={file?.name} onUse={change} /></div>
        </div>
      </header>
      <div className={css.split}>
        <div className={css.asking}>
          <RequestForm {...{ name, request, file }} isUnderway={reply.step === 'waiting' || reply.step === 'receiving'} onChange={change} onFile={setFile} onSend={() => void call()} onStop={stop} />
        </div>
        <div className={css.answer}><ReplyView reply={reply} name={name} heading={heading} /></div>
        {history.list.length > 0 && (
          <section className={css.before} aria-label={words.historyOf}>
            <h2 className={css.heading}>{words.historyOf}</h2>
            <PastCalls calls={history.list} onUse={(past) => change(past.request)} />
          </section>
        )}
      </div>
    </div>
  )
}

/** On a small screen the reply stands below what one sees. */
function revealReply(heading: HTMLElement | null) {
  const bottom = heading?.getBoundingClientRect().bottom ?? 0
  if (bottom > innerHeight * 0.75) heading?.closest('section')?.scrollIntoView({ block: 'start' })
}
