import { useState, type FormEvent } from 'react'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { readJson } from './json-text.ts'
import css from './live-screen.module.css'
import type { RoomProps } from './room-view.tsx'

const mostBytes = 3_000_000

interface Problems {
  event?: string
  payload?: string
  sending?: string
}

/** A message to everyone on the channel: its event, and JSON that is checked before it goes. */
export function Composer({ rooms, room }: RoomProps) {
  const { channels: words } = useMessages()
  const format = useFormat()
  const [event, setEvent] = useState('message')
  const [payload, setPayload] = useState('{ "text": "Hello" }')
  const [problems, setProblems] = useState<Problems>({})
  const [isSending, setSending] = useState(false)
  const isJoined = room.facts.state === 'joined'

  const send = async (submit?: FormEvent) => {
    submit?.preventDefault()
    const reading = readJson(payload)
    const sizeBytes = new TextEncoder().encode(payload).length
    const found: Problems = {
      ...(event.trim() === '' ? { event: words.eventMissing } : {}),
      ...(reading.ok ? {} : { payload: words.payloadWrong(reading.where) }),
      ...(sizeBytes > mostBytes ? { payload: words.payloadTooLarge(format.bytes(sizeBytes)) } : {}),
    }
    setProblems(found)
    if (!reading.ok || Object.keys(found).length > 0) return
    if (!isJoined) return setProblems({ sending: words.sendNotJoined })
    setSending(true)
    const outcome = await rooms.send(room.settings.topic, event.trim(), reading.value)
    setSending(false)
    if (outcome !== 'ok') setProblems({ sending: outcome === 'timed out' ? words.sendTimedOut : outcome === 'not joined' ? words.sendNotJoined : words.sendRefused })
  }

  return (
    <form
      className={css.composer}
      aria-label={words.sendTitle}
      noValidate
      onSubmit={(submit) => void send(submit)}
      onKeyDown={(key) => {
        if ((key.ctrlKey || key.metaKey) && key.key === 'Enter') void send()
      }}
    >
      {problems.sending !== undefined && <div className={css.composerWide}><Banner tone="danger" title={words.sendFailed}>{problems.sending}</Banner></div>}
      <TextField label={words.event} value={event} error={problems.event} onChange={({ target }) => setEvent(target.value)} />
      <TextArea label={words.payload} mono rows={2} spellCheck={false} dir="ltr" value={payload} error={problems.payload} onChange={({ target }) => setPayload(target.value)} />
      <Button type="submit" variant="primary" pending={isSending} disabled={!isJoined} className={css.sendButton}>{words.send}</Button>
    </form>
  )
}
