import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef } from 'react'
import { useFormat, useMessages } from '#messages/messages.tsx'
import type { StreamEvent } from './event-stream.ts'
import css from './reply.module.css'

const nearEndPx = 40

/** Events as they come, oldest first; the list follows the newest unless one has scrolled away from it. */
export function EventList({ events }: { events: readonly StreamEvent[] }) {
  const { functions: words } = useMessages()
  const format = useFormat()
  const scroller = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({ count: events.length, getScrollElement: () => scroller.current, estimateSize: () => 40, overscan: 12 })
  useLayoutEffect(() => {
    if (isFollowing.current && events.length > 0) virtual.scrollToIndex(events.length - 1)
  }, [events, virtual])
  const look = () => {
    const element = scroller.current
    if (element) isFollowing.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx
  }
  return (
    <>
      <p className={css.muted} role="status">{words.eventCount(events.length)}</p>
      <div ref={scroller} className={css.text} tabIndex={0} role="region" aria-label={words.replyParts.events} onScroll={look}>
        <ol className={css.lines} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const event = events[index]
            return event && (
              <li key={key} ref={virtual.measureElement} data-index={index} className={css.event} style={{ transform: `translateY(${start}px)` }}>
                <span className={css.faint}>{words.afterMs(format.number(event.atMs))}</span>
                {event.event !== 'message' && <span className={css.eventName}>{event.event}</span>}
                <span className={css.eventData} dir="ltr">{event.data}</span>
              </li>
            )
          })}
        </ol>
      </div>
    </>
  )
}
