import { createElement, useEffect, useState, type ComponentType } from 'react'
import { useLoadArea } from '#messages/messages.tsx'
import type { TableLiveProps } from '#features/data/live/table-live.tsx'

/** What keeps a table's rows live, fetched once they are there. Where it cannot be fetched, the rows stay as they are. */
export function LateLive(props: TableLiveProps) {
  const loadArea = useLoadArea()
  const [part, setPart] = useState<ComponentType<TableLiveProps>>()
  const isReady = props.shared.rows.state.step === 'ready'
  useEffect(() => {
    if (!isReady) return
    const parts = Promise.all([import('#features/data/live/table-live.tsx'), loadArea('live')])
    void parts.then(([{ TableLive }]) => setPart(() => TableLive), () => undefined)
  }, [isReady, loadArea])
  return part ? createElement(part, props) : null
}
