import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { useMessages } from '#messages/messages.tsx'
import { isSignedIn } from '#session/session-state.ts'
import { useConnection, useSession } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { readLiveAddress, writeLiveAddress } from './address.ts'
import css from './live-screen.module.css'
import { RoomView } from './room-view.tsx'
import { roomsOf, type Room, type Rooms } from './rooms.ts'
import { StateMark } from './state-mark.tsx'

const JoinDialog = lazy(async () => ({ default: (await import('./join-dialog.tsx')).JoinDialog }))

/** A table one may listen to. */
export interface KnownTable {
  schema: string
  name: string
  label: string
  /** False: the project sends no changes of it. */
  isSent: boolean
}

/** `/live`: channels one has joined, what happens on them, and who is there. */
export function LiveScreen({ tables }: { tables: readonly KnownTable[] }) {
  const { channels: words } = useMessages()
  const session = useSession()
  const rooms = roomsOf(useConnection(), isSignedIn(session) ? session.session.id : '')
  const list = useSyncExternalStore(rooms.subscribe, rooms.list)
  const [shownTopic, show] = useAddress(rooms)
  const [isJoining, setJoining] = useState(false)
  const shown = list.find(({ settings }) => settings.topic === shownTopic) ?? list[0]

  return (
    <div className={css.screen}>
      <DocumentTitle>{words.title}</DocumentTitle>
      <header className={css.head}>
        <h1 className={css.title} tabIndex={-1}>{words.title}</h1>
        {list.length > 0 && <Button icon="plus" onClick={() => setJoining(true)}>{words.joinNew}</Button>}
      </header>
      {shown ? (
        <div className={css.panes}>
          <RoomList list={list} shown={shown} onShow={show} />
          <RoomView key={shown.settings.topic} rooms={rooms} room={shown} />
        </div>
      ) : (
        <div className={css.empty}>
          <EmptyState icon="radio" title={words.emptyTitle} action={<Button variant="primary" icon="plus" onClick={() => setJoining(true)}>{words.joinNew}</Button>}>{words.emptyHint}</EmptyState>
        </div>
      )}
      <Suspense>
        {isJoining && (
          <JoinDialog
            tables={tables}
            isTaken={(topic) => list.some(({ settings }) => settings.topic === topic)}
            onClose={() => setJoining(false)}
            onJoin={(settings) => {
              setJoining(false)
              rooms.join(settings)
              show(settings.topic)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

/** The address and the channels say the same: what a link names is joined, what is joined stands in the address. */
function useAddress(rooms: Rooms): [shown: string | undefined, show: (topic: string) => void] {
  const search = useSearch()
  const [shown, setShown] = useState(() => readLiveAddress(new URLSearchParams(search)).shown)
  const written = useRef('')
  useEffect(() => {
    // An address of our own making names channels that were left, too.
    const given = `?${search}`
    if (given === written.current) return
    for (const settings of readLiveAddress(new URLSearchParams(search)).rooms) rooms.join(settings)
  }, [rooms, search])
  useEffect(() => {
    const write = () => {
      const settings = rooms.list().map((room) => room.settings)
      written.current = writeLiveAddress({ rooms: settings, shown: shown ?? settings[0]?.topic })
      if (written.current !== location.search) navigate(`${location.pathname}${written.current}`, { replace: true })
    }
    write()
    return rooms.subscribe(write)
  }, [rooms, shown])
  return [shown, setShown]
}

function RoomList({ list, shown, onShow }: { list: readonly Room[]; shown: Room; onShow: (topic: string) => void }) {
  const { channels: words } = useMessages()
  return (
    <nav className={css.rooms} aria-label={words.joined}>
      <ul className={css.roomList}>
        {list.map(({ settings: { topic }, facts }) => (
          <li key={topic}>
            <button type="button" className={css.roomButton} aria-current={topic === shown.settings.topic || undefined} onClick={() => onShow(topic)}>
              <StateMark state={facts.state} />
              <span className={css.roomName}>{topic}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
