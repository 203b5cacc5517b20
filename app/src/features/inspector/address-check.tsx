import { useState, type FormEvent } from 'react'
import { compareAddress, isReadable, type Comparison, type Sight } from '#api/signed-out-check.ts'
import { explain } from '#api/explain.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { usePageParameters } from '#page-address.ts'
import { useConnection } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './inspector.module.css'
import { Facts, Section } from './section.tsx'

/** One address of the project, read as the person and as nobody. */
export function AddressCheck() {
  const { inspector: { signedOut: words } } = useMessages()
  const connection = useConnection()
  const [parameters, change] = usePageParameters()
  const path = parameters.get('path') ?? ''
  const [fault, setFault] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const [answer, setAnswer] = useState<{ path: string; comparison: Comparison }>()

  const compare = async (event: FormEvent) => {
    event.preventDefault()
    if (!isReadable(path)) return setFault(words.pathRefused)
    setAsking(true)
    const comparison = await compareAddress(connection, path)
    setAnswer({ path, comparison })
    setAsking(false)
  }
  return (
    <Section heading={words.address} lead={words.addressLead}>
      <form className={css.content} onSubmit={(event) => void compare(event)}>
        <TextField label={words.path} hint={words.pathHint} error={fault} value={path} onChange={(event) => (setFault(undefined), change({ path: event.target.value }))} autoComplete="off" spellCheck={false} />
        <div className={css.actions}><Button type="submit" pending={isAsking}>{words.compare}</Button></div>
      </form>
      {answer?.path === path && <Outcome comparison={answer.comparison} />}
    </Section>
  )
}

function Outcome({ comparison: { signedIn, signedOut } }: { comparison: Comparison }) {
  const { inspector: { signedOut: words } } = useMessages()
  const isSame = signedIn.kind === 'answer' && signedOut.kind === 'answer' && signedIn.rows === signedOut.rows && signedIn.sizeBytes === signedOut.sizeBytes
  // An empty list tells nobody anything: that is how policies refuse.
  const isEmpty = signedOut.kind === 'answer' && signedOut.rows === 0
  return (
    <>
      <Facts facts={[[words.you, <Told key="in" sight={signedIn} />], [words.nobody, <Told key="out" sight={signedOut} />]]} />
      {signedOut.kind === 'answer' && !isEmpty ? <Banner tone="warning">{isSame ? words.sameAnswer : words.openAnswer}</Banner> : <Banner tone="success">{words.closedAnswer}</Banner>}
    </>
  )
}

function Told({ sight }: { sight: Sight }) {
  const { inspector: { signedOut: words }, errors } = useMessages()
  const format = useFormat()
  if (sight.kind === 'rows') return <>{words.rows(sight.count)}</>
  if (sight.kind === 'refused') return <>{[sight.error.status || '', sight.error.code].filter(Boolean).join(' ')} · {explain(sight.error, errors).title}</>
  const size = format.bytes(sight.sizeBytes)
  return <>{sight.rows === null ? words.answered(sight.status, size) : words.answeredRows(sight.status, sight.rows, size)}</>
}
