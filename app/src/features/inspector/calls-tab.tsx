import { useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Call } from '#api/call-log.ts'
import { useMessages } from '#messages/messages.tsx'
import { usePageParameters } from '#page-address.ts'
import { useConnection } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { Select } from '#ui/select.tsx'
import { Switch } from '#ui/switch.tsx'
import { CallDetail } from './call-detail.tsx'
import { findCalls, services, type CallFilter } from './call-filter.ts'
import { CallList } from './call-list.tsx'
import css from './calls.module.css'

/** Which calls are looked at: kept while one looks at another tab of the inspector. */
export interface CallsView {
  /** The list as it stood when it was held still; undefined while it moves. */
  frozen: readonly Call[] | undefined
  /** Calls up to this one were put out of sight. */
  clearedId: number
  chosenId: number | undefined
}

export const firstCallsView: CallsView = { frozen: undefined, clearedId: 0, chosenId: undefined }

/** Every call this app made, as they come. */
export function CallsTab({ view, onView }: { view: CallsView; onView: (view: CallsView) => void }) {
  const { inspector: { calls: words } } = useMessages()
  const { calls } = useConnection()
  const live = useSyncExternalStore(calls.subscribe, calls.list)
  const [parameters, change] = usePageParameters()
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const filter = useFilter(parameters)
  const all = useMemo(() => (view.frozen ?? live).filter(({ id }) => id > view.clearedId), [view.frozen, live, view.clearedId])
  const found = useMemo(() => findCalls(all, filter), [all, filter])
  const chosen = found.find(({ id }) => id === view.chosenId)
  const waiting = view.frozen ? live.length === 0 ? 0 : (live.at(-1)?.id ?? 0) - (view.frozen.at(-1)?.id ?? 0) : 0
  const showAll = () => change({ q: null, service: null, failed: null })

  return (
    <div className={css.calls} data-open={isOpen && chosen !== undefined ? '' : undefined}>
      <div className={css.bar}>
        <SearchField label={words.search} value={filter.search} onChange={(q) => change({ q })} className={css.search} />
        <Select label={words.service} labelHidden value={filter.service} onChange={(event) => change({ service: event.target.value })}>
          <option value="">{words.allServices}</option>
          {services.map((service) => <option key={service} value={service}>{service}</option>)}
        </Select>
        <Switch label={words.failedOnly} checked={filter.failedOnly} onChange={(event) => change({ failed: event.target.checked ? '1' : null })} />
        <span className={css.space} />
        <span className={css.count} role="status">{words.count(found.length, all.length)}{waiting > 0 && ` · ${words.waiting(waiting)}`}</span>
        <Button aria-pressed={view.frozen !== undefined} onClick={() => onView({ ...view, frozen: view.frozen ? undefined : live })}>{view.frozen ? words.resume : words.pause}</Button>
        <Button icon="trash" onClick={() => onView({ frozen: undefined, clearedId: live.at(-1)?.id ?? 0, chosenId: undefined })}>{words.clear}</Button>
      </div>
      <div className={css.split}>
        <div className={css.listPlace}>
          {found.length === 0
            ? <EmptyState icon="list" title={all.length === 0 ? words.none : words.noneFound} action={all.length > 0 && <Button onClick={showAll}>{words.showAll}</Button>}>{all.length === 0 ? words.noneHint : words.noneFoundHint}</EmptyState>
            : <CallList ref={list} calls={found} chosenId={view.chosenId} onChoose={(chosenId, opens) => (onView({ ...view, chosenId }), opens && setOpen(true))} />}
        </div>
        <div className={css.detailPlace} role="region" aria-label={words.details} tabIndex={0}>
          {chosen ? <CallDetail key={chosen.id} call={chosen} onBack={() => (setOpen(false), setTimeout(() => list.current?.focus(), 0))} /> : found.length > 0 && <p className={css.choose}>{words.choose}</p>}
        </div>
      </div>
    </div>
  )
}

function useFilter(parameters: URLSearchParams): CallFilter {
  const [search, service, failed] = [parameters.get('q') ?? '', parameters.get('service') ?? '', parameters.get('failed')]
  return useMemo(() => ({ search, service, failedOnly: failed !== null }), [search, service, failed])
}
