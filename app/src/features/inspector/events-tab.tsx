import { useSyncExternalStore } from 'react'
import { useLocale, useMessages } from '#messages/messages.tsx'
import { useSessionStore } from '#session/session.tsx'
import { Chip } from '#ui/chip.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import css from './inspector.module.css'
import { clockTime } from './moment.ts'

/** What the client told and what the app made of it, newest first. */
export function EventsTab() {
  const { inspector: { events: words } } = useMessages()
  const { locale } = useLocale()
  const { events } = useSessionStore()
  const list = useSyncExternalStore(events.subscribe, events.list)
  if (list.length === 0) return <EmptyState icon="history" title={words.none}>{words.lead}</EmptyState>
  return (
    <div className={css.inner}>
      <p className={`${css.muted} ${css.above}`}>{words.lead}</p>
      <ol className={css.list} reversed>
        {list.toReversed().map(({ id, at, name, kind, fromElsewhere }) => (
          <li key={id} className={css.item}>
            <time className={css.time} dateTime={new Date(at).toISOString()}>{clockTime(at, locale)}</time>
            <span className={css.grow}>
              {kind === 'client' ? <><span className={css.mono}>{name}</span><br /><span className={css.note}>{words.names[name]}</span></> : words.states[name] ?? name}
            </span>
            {kind === 'client' && <Chip tone={fromElsewhere ? 'info' : 'neutral'}>{fromElsewhere ? words.elsewhere : words.here}</Chip>}
          </li>
        ))}
      </ol>
    </div>
  )
}
