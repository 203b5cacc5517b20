import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { IconButton } from '#ui/button.tsx'
import { SearchField } from '#ui/search-field.tsx'
import css from './reply.module.css'
import { cutLines, findPlaces, type Place } from './text-search.ts'

/** A text of any length, a line a row, to be searched through. `aside` stands beside the search. */
export function TextViewer({ text, aside }: { text: string; aside?: ReactNode }) {
  const { functions: words } = useMessages()
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => cutLines(text), [text])
  const sought = useDeferredValue(search)
  const places = useMemo(() => findPlaces(lines, sought), [lines, sought])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({ count: lines.length, getScrollElement: () => scroller.current, estimateSize: () => 18, overscan: 20 })

  const go = (step: number) => {
    if (places.length === 0) return
    const next = (at + step + places.length) % places.length
    setAt(next)
    virtual.scrollToIndex(places[next]?.line ?? 0, { align: 'center' })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    go(event.shiftKey ? -1 : 1)
  }
  const change = (next: string) => {
    setSearch(next)
    setAt(0)
    const first = findPlaces(lines, next)[0]
    if (first) virtual.scrollToIndex(first.line, { align: 'center' })
  }
  return (
    <div className={css.viewer}>
      <div className={css.tools}>
        <SearchField label={words.searchBody} value={search} onChange={change} onKeyDown={press} className={css.search} />
        {search !== '' && <span className={css.muted} role="status">{words.matches(at + 1, places.length)}</span>}
        {places.length > 1 && <><IconButton icon="chevron-up" label={words.previous} onClick={() => go(-1)} /><IconButton icon="chevron-down" label={words.next} onClick={() => go(1)} /></>}
        {aside}
      </div>
      <div ref={scroller} className={css.text} tabIndex={0} role="region" aria-label={words.bodyText} dir="ltr">
        <div className={css.lines} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => (
            <div key={key} ref={virtual.measureElement} data-index={index} className={css.textLine} style={{ transform: `translateY(${start}px)` }}>
              <Line text={lines[index] ?? ''} length={sought.length} places={sought === '' ? [] : places.filter(({ line }) => line === index)} current={places[at]} />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

function Line({ text, length, places, current }: { text: string; length: number; places: readonly Place[]; current: Place | undefined }) {
  if (places.length === 0) return <>{text || ' '}</>
  const ends = [0, ...places.map(({ start }) => start + length)]
  return (
    <>
      {places.map((place, index) => (
        <span key={place.start}>
          {text.slice(ends[index], place.start)}
          <mark className={css.mark} data-current={place === current || undefined}>{text.slice(place.start, place.start + length)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  )
}
