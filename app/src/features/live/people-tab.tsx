import { useState, type FormEvent } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { isObject, readJson } from './json-text.ts'
import css from './live-screen.module.css'
import { oneLine } from './log.ts'
import type { RoomProps } from './room-view.tsx'

/** Who shows themselves on the channel, with what they say of themselves; and oneself, when one wants to. */
export function PeopleTab({ rooms, room }: RoomProps) {
  const { channels: words } = useMessages()
  const { people } = room
  const present = Object.entries(people)
  return (
    <>
      <ShowMe rooms={rooms} room={room} />
      <h3 className={css.peopleCount}><span role="status">{words.presenceCount(present.length)}</span></h3>
      {present.length === 0 ? <p className={css.presenceHint}>{words.presenceHint}</p> : (
        <ul className={css.people}>
          {present.map(([key, states]) => (
            <li key={key} className={css.person}>
              <Avatar name={key} size={24} />
              <span className={css.personText}>
                <span className={css.personKey}>{key === rooms.presenceKey ? `${key} (${words.you})` : key}</span>
                {states.map(({ presence_ref: reference, ...state }) => <code key={String(reference)} className={css.personState} dir="ltr">{oneLine(state)}</code>)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function ShowMe({ rooms, room }: RoomProps) {
  const { channels: words } = useMessages()
  const [text, setText] = useState('{ "status": "here" }')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { settings: { topic }, shown, facts } = room

  const show = async (state: Record<string, unknown> | undefined) => {
    setProblem(undefined)
    setBusy(true)
    const outcome = await rooms.show(topic, state)
    setBusy(false)
    if (outcome !== 'ok') setProblem(outcome === 'not joined' ? words.sendNotJoined : outcome === 'timed out' ? words.sendTimedOut : words.sendRefused)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const reading = readJson(text)
    if (reading.ok && isObject(reading.value)) return void show(reading.value)
    setProblem(reading.ok ? words.presenceStateWrong : words.payloadWrong(reading.where))
  }
  return (
    <form className={css.showMe} noValidate onSubmit={submit}>
      <TextArea label={words.presenceState} mono rows={2} spellCheck={false} dir="ltr" value={text} error={problem} onChange={({ target }) => setText(target.value)} />
      <div className={css.showMeActions}>
        <Button type="submit" pending={isBusy} disabled={facts.state !== 'joined'}>{shown ? words.update : words.showMe}</Button>
        {shown && <Button variant="quiet" onClick={() => void show(undefined)}>{words.hideMe}</Button>}
      </div>
    </form>
  )
}
