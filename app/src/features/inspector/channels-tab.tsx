import { useSyncExternalStore } from 'react'
import { channelsOf, type ChannelFacts } from '#api/channels.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { useConnection } from '#session/session.tsx'
import { Chip } from '#ui/chip.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import css from './inspector.module.css'

const tones = { joined: 'success', joining: 'info', leaving: 'neutral', closed: 'neutral', errored: 'danger' } as const

/** The channels of this tab with their states, and the one socket under them. */
export function ChannelsTab() {
  const { inspector: { channels: words }, errors } = useMessages()
  const book = channelsOf(useConnection())
  const channels = useSyncExternalStore(book.subscribe, book.list)
  const socket = useSyncExternalStore(book.subscribe, book.socket)
  if (channels.length === 0) return <EmptyState icon="radio" title={words.none}>{words.noneHint}</EmptyState>
  return (
    <div className={css.inner}>
      <p className={`${css.muted} ${css.above}`}>{errors.sentences(words.lead, words.socket(words.sockets[socket]))}</p>
      <ul className={css.list}>{channels.toReversed().map((channel) => <Channel key={channel.id} channel={channel} />)}</ul>
    </div>
  )
}

function Channel({ channel }: { channel: ChannelFacts }) {
  const { inspector: { channels: words } } = useMessages()
  const format = useFormat()
  const { topic, isPrivate, purpose, state, joinedAt, joins, received, sent, lastError } = channel
  const total = Object.values(received).reduce((sum, count) => sum + count, 0)
  return (
    <li className={css.item}>
      <Chip tone={tones[state]}>{words.states[state]}</Chip>
      <span className={css.grow}>
        <span className={css.mono}>{topic}</span> <span className={css.note}>{words.purposes[purpose]}{isPrivate && `, ${words.private}`}</span>
        <br />
        <span className={css.note}>
          {joinedAt !== undefined && <>{words.since} <DateTime value={new Date(joinedAt)} show="relative" />{joins > 1 && ` (${words.joins(joins)})`} · </>}
          {format.list([words.received(total), words.sent(sent)])}
        </span>
        {lastError && <><br /><span className={css.mono}>{lastError.code}</span> <span className={css.note}>{lastError.message}</span></>}
      </span>
    </li>
  )
}
