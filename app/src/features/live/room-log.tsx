import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { SearchField } from '#ui/search-field.tsx'
import css from './live-screen.module.css'
import { LogLine } from './log-line.tsx'
import { filterLog, groups, logAsText, type LogEntry, type LogGroup } from './log.ts'
import type { RoomProps } from './room-view.tsx'

const lineHeight = 36

/** What happened on a channel, the latest last; it follows what comes as long as one looks at the end. */
export function RoomLog({ rooms, room }: RoomProps) {
  const { channels: words } = useMessages()
  const { settings: { topic } } = room
  const [search, setSearch] = useState('')
  const [hidden, setHidden] = useState<ReadonlySet<LogGroup>>(new Set())
  const [pausedAt, setPausedAt] = useState<number>()
  const held = useMemo(() => (pausedAt === undefined ? room.log : room.log.filter(({ id }) => id <= pausedAt)), [room.log, pausedAt])
  const shown = useMemo(() => filterLog(held, { search, hidden }), [held, search, hidden])
  const toggle = (group: LogGroup) => setHidden((before) => new Set(before.has(group) ? [...before].filter((other) => other !== group) : [...before, group]))

  return (
    <div className={css.log}>
      <div className={css.logTools} role="toolbar" aria-label={words.logOf(topic)}>
        <SearchField className={css.logSearch} label={words.filterLabel} placeholder={words.filter} value={search} onChange={setSearch} />
        <span className={css.groups} role="group" aria-label={words.filterKinds}>
          {groups.map((group) => (
            <button key={group} type="button" className={css.group} aria-pressed={!hidden.has(group)} onClick={() => toggle(group)}>{words.kinds[group]}</button>
          ))}
        </span>
        <span className={css.logCount} role="status">
          {pausedAt !== undefined ? words.paused(room.log.length - held.length) : shown.length === held.length ? words.entries(held.length) : words.entriesOf(shown.length, held.length)}
        </span>
        <Button variant="quiet" aria-pressed={pausedAt !== undefined} onClick={() => setPausedAt(pausedAt === undefined ? (room.log.at(-1)?.id ?? 0) : undefined)}>{pausedAt === undefined ? words.pause : words.resume}</Button>
        <CopyButton value={logAsText(shown)} label={words.copyLog} compact />
        <IconButton icon="trash" label={words.clear} disabled={room.log.length === 0} onClick={() => rooms.clear(topic)} />
      </div>
      {shown.length === 0
        ? <div className={css.logEmpty}>{room.log.length === 0 ? <EmptyState title={words.nothingYet}>{words.nothingYetHint}</EmptyState> : <EmptyState title={words.nothingFits} />}</div>
        : <Lines label={words.logOf(topic)} lines={shown} dropped={room.dropped} />}
    </div>
  )
}

function Lines({ label, lines, dropped }: { label: string; lines: readonly LogEntry[]; dropped: number }) {
  const { channels: words } = useMessages()
  const scroller = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [isFollowing, setFollowing] = useState(true)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({ count: lines.length, getScrollElement: () => scroller.current, estimateSize: () => lineHeight, overscan: 12, getItemKey: (index) => lines[index]?.id ?? index })
  const last = lines.at(-1)?.id
  const height = virtual.getTotalSize()
  useLayoutEffect(() => {
    if (isFollowing && last !== undefined) scroller.current?.scrollTo({ top: height })
  }, [isFollowing, last, height])
  useEffect(() => {
    const list = scroller.current
    if (!list) return
    const look = () => setFollowing(list.scrollHeight - list.scrollTop - list.clientHeight < lineHeight)
    list.addEventListener('scroll', look, { passive: true })
    return () => list.removeEventListener('scroll', look)
  }, [])

  return (
    <div className={css.linesFrame}>
      <div ref={scroller} className={css.lines} tabIndex={0} role="log" aria-label={label} aria-live="off">
        {dropped > 0 && <p className={css.dropped}>{words.dropped(dropped)}</p>}
        <div className={css.linesInner} style={{ height }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const line = lines[index]
            return line && (
              <div key={key} data-index={index} ref={virtual.measureElement} className={css.linePlace} style={{ transform: `translateY(${start}px)` }}>
                <LogLine entry={line} isOpen={open.has(line.id)} onToggle={() => setOpen((before) => new Set(before.has(line.id) ? [...before].filter((id) => id !== line.id) : [...before, line.id]))} />
              </div>
            )
          })}
        </div>
      </div>
      {!isFollowing && <button type="button" className={css.latest} onClick={() => setFollowing(true)}>{words.latest}</button>}
    </div>
  )
}
