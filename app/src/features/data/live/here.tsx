import { useEffect } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { classNames } from '#ui/class-names.ts'
import { Popover } from '#ui/popover.tsx'
import { Faces, useNames } from './faces.tsx'
import css from './live.module.css'
import type { PeopleFeed, Person } from './people.ts'
import type { TableFeed } from './table-feed.ts'
import { useFeedState } from './use-feeds.ts'

/** Says that oneself has the table open. */
export function useEnter(people: PeopleFeed | undefined): void {
  useEffect(() => people?.enter({}), [people])
}

/** Who else has the table open. */
export function Here({ people }: { people: readonly Person[] }) {
  const { live } = useMessages()
  const label = live.here(useNames(people))
  if (people.length === 0) return null
  return (
    <Popover label={label} trigger={<button type="button" className={css.here} aria-label={label}><Faces people={people} label={label} /></button>}>
      <ul className={css.names}>
        {people.map(({ id, name, picture }) => (
          <li key={id}><Avatar name={name || live.someone} src={picture} size={22} />{name || live.someone}</li>
        ))}
      </ul>
    </Popover>
  )
}

/** Whether others' changes are told just now. */
export function LiveState({ feed }: { feed: TableFeed | undefined }) {
  const { live } = useMessages()
  const state = useFeedState(feed)
  const [word, hint] = {
    live: [live.stateLive, live.stateLiveHint],
    joining: [live.stateJoining, live.stateLiveHint],
    lost: [live.stateLost, live.stateLostHint],
    off: [live.stateOff, live.stateOffHint],
  }[state] as [string, string]
  return (
    <Popover label={word} placement="top end" trigger={<button type="button" className={classNames(css.state, css[state])}><span className={css.dot} aria-hidden />{word}</button>}>
      <p className={css.hint}>{hint}</p>
    </Popover>
  )
}
