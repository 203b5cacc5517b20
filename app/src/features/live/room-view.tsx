import { useState } from 'react'
import { isFinalFault } from '#api/channels.ts'
import { useLocale, useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { clockTime } from './clock-time.ts'
import { Composer } from './composer.tsx'
import css from './live-screen.module.css'
import { PeopleTab } from './people-tab.tsx'
import { RoomLog } from './room-log.tsx'
import type { Room, Rooms } from './rooms.ts'
import { StateMark } from './state-mark.tsx'

export interface RoomProps {
  rooms: Rooms
  room: Room
}

/** One channel: how it stands, what happened, what one can send, and who is there. */
export function RoomView({ rooms, room }: RoomProps) {
  const { channels: words } = useMessages()
  const [tab, setTab] = useState('log')
  const { settings: { topic } } = room
  const present = Object.keys(room.people).length
  return (
    <section className={css.room} aria-label={topic}>
      <RoomHead rooms={rooms} room={room} />
      <Fault room={room} />
      <div className={css.tabs}>
        <Tabs
          label={topic}
          value={tab}
          onChange={setTab}
          items={[
            { id: 'log', label: words.log, count: room.log.length, content: <div className={css.logTab}><RoomLog rooms={rooms} room={room} />{!isOver(room) && <Composer rooms={rooms} room={room} />}</div> },
            { id: 'people', label: words.presence, count: present, content: <div className={css.peopleTab}><PeopleTab rooms={rooms} room={room} /></div> },
          ]}
        />
      </div>
    </section>
  )
}

/** Left, or refused for good: nothing comes or goes until it is joined again. */
const isOver = ({ facts: { state, lastError } }: Room): boolean => state === 'closed' || state === 'leaving' || (state === 'errored' && isFinalFault(lastError?.code))

function RoomHead({ rooms, room }: RoomProps) {
  const { channels: words } = useMessages()
  const { settings, facts } = room
  const { topic, isPrivate, changes } = settings
  return (
    <header className={css.roomHead}>
      <div className={css.roomHeading}>
        <h2 className={css.roomTitle}>{topic}</h2>
        <p className={css.roomState} role="status">
          <StateMark state={facts.state} />
          <span aria-hidden>{words.states[facts.state]}</span>
          {facts.state === 'joined' && facts.joinedAt !== undefined && <><span aria-hidden>·</span><DateTime value={new Date(facts.joinedAt)} show="relative" /></>}
          {facts.state !== 'joined' && <><span aria-hidden>·</span><span>{words.stateHints[facts.state]}</span></>}
        </p>
        <p className={css.roomFacts}>
          <Chip>{isPrivate ? words.private : words.public}</Chip>
          {changes && <Chip>{`${words.changesEvents[changes.event]}: ${changes.schema}.${changes.table ?? '*'}${changes.filter === undefined ? '' : ` (${changes.filter})`}`}</Chip>}
          <Counts facts={facts} />
        </p>
      </div>
      <div className={css.roomActions}>
        {isOver(room)
          ? <><Button icon="refresh" onClick={() => rooms.join(settings)}>{words.rejoin}</Button><Button variant="quiet" icon="close" onClick={() => rooms.remove(topic)}>{words.remove}</Button></>
          : <Button icon="unplug" onClick={() => rooms.leave(topic)}>{words.leave}</Button>}
      </div>
    </header>
  )
}

function Counts({ facts: { received, sent } }: Pick<Room, 'facts'>) {
  const { channels: words } = useMessages()
  return <span>{words.counts(Object.values(received).reduce((sum, count) => sum + count, 0), sent)}</span>
}

/** The latest fault while it holds: what it means, and what to do. */
function Fault({ room: { facts } }: Pick<RoomProps, 'room'>) {
  const { channels: words } = useMessages()
  const { locale } = useLocale()
  const { lastError, state, joinedAt } = facts
  if (!lastError) return null
  // Once joined again, only what the server still refuses is worth saying.
  const isHeld = lastError.code === 'changes-refused' || lastError.code === 'filter-refused'
  if (state === 'joined' && !isHeld && (joinedAt ?? 0) >= lastError.at) return null
  if (state === 'closed') return null
  const faults: Record<string, { title: string; whatToDo: string }> = words.faults
  const { title, whatToDo } = faults[lastError.code] ?? words.faults.unknown
  return (
    <div className={css.fault}>
      <Banner tone={isFinalFault(lastError.code) || isHeld ? 'danger' : 'warning'} title={title} role="status">
        {whatToDo}
        <span className={css.faultCode}>{words.code} <code>{lastError.code}</code>, {clockTime(lastError.at, locale)}: {lastError.message}</span>
      </Banner>
    </div>
  )
}
