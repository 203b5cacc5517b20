import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type Ref } from 'react'
import type { Call } from '#api/call-log.ts'
import { useFormat, useLocale, useMessages } from '#messages/messages.tsx'
import { hasFailed } from './call-filter.ts'
import css from './calls.module.css'
import { clockTime } from './moment.ts'
import { shownPath } from './shown-path.ts'

const rowHeight = 44

export interface CallListProps {
  ref?: Ref<HTMLDivElement>
  calls: readonly Call[]
  chosenId: number | undefined
  /** `opens`: pressed or entered, not only moved to. */
  onChoose: (id: number, opens: boolean) => void
}

/** Calls, newest first: one stop for the Tab key, arrows inside. What one reads stays where it is when others come. */
export function CallList({ ref, calls, chosenId, onChoose }: CallListProps) {
  const { inspector: { calls: words } } = useMessages()
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({ count: calls.length, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 12, getItemKey: (index) => calls[index]?.id ?? index })
  const at = calls.findIndex(({ id }) => id === chosenId)
  useStillness(scroller, calls)

  const go = (index: number) => {
    const next = calls[Math.max(0, Math.min(calls.length - 1, index))]
    if (!next) return
    onChoose(next.id, false)
    virtual.scrollToIndex(calls.indexOf(next))
  }
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at < 0 ? 0 : at - 1, Home: 0, End: calls.length - 1, PageDown: at + 10, PageUp: at - 10 }
    const step = steps[event.key]
    if (step !== undefined) go(step)
    else if ((event.key === 'Enter' || event.key === ' ') && chosenId !== undefined) onChoose(chosenId, true)
    else return
    event.preventDefault()
  }
  const attach = (element: HTMLDivElement | null) => {
    scroller.current = element
    if (typeof ref === 'function') ref(element)
    else if (ref) ref.current = element
  }
  const shown = virtual.getVirtualItems()
  const isChosenDrawn = shown.some(({ index }) => index === at)
  return (
    <div ref={attach} className={css.scroller} role="listbox" aria-label={words.list} tabIndex={0} onKeyDown={press} aria-activedescendant={isChosenDrawn ? `call-${chosenId}` : undefined}>
      <div role="presentation" className={css.rows} style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start, key }) => {
          const call = calls[index]
          return call && (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus and the keys
            <div key={key} id={`call-${call.id}`} role="option" aria-selected={call.id === chosenId} aria-setsize={calls.length} aria-posinset={index + 1} className={css.row} style={{ transform: `translateY(${start}px)`, height: rowHeight }} onClick={() => onChoose(call.id, true)}>
              <Row call={call} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Row({ call }: { call: Call }) {
  const { inspector: { calls: words } } = useMessages()
  const { locale } = useLocale()
  const format = useFormat()
  return (
    <>
      <span className={css.status} data-failed={hasFailed(call) || undefined}>{call.status || words.noAnswer}</span>
      <span className={css.method}>{call.method}</span>
      <span className={css.path} title={shownPath(call.path)}>{shownPath(call.path)}</span>
      {call.errorCode && <span className={css.code}>{call.errorCode}</span>}
      <span className={css.role}>{call.role === 'user' ? words.asUser : words.asPublic}</span>
      <span className={css.duration}>{words.ms(format.number(call.durationMs))}</span>
      <time className={css.time} dateTime={new Date(call.at).toISOString()}>{clockTime(call.at, locale)}</time>
    </>
  )
}

/** New calls stand above: unless one is at the top, the list is moved by as much as they take. */
function useStillness(scroller: React.RefObject<HTMLDivElement | null>, calls: readonly Call[]) {
  const first = useRef(calls[0]?.id)
  useLayoutEffect(() => {
    const added = calls.findIndex(({ id }) => id === first.current)
    const element = scroller.current
    if (element && added > 0 && element.scrollTop > 0) element.scrollBy({ top: added * rowHeight, behavior: 'instant' })
  }, [scroller, calls])
  useEffect(() => {
    first.current = calls[0]?.id
  }, [calls])
}
