import { createElement, useEffect, useState, type ComponentType } from 'react'
import { useLoadArea } from '#messages/messages.tsx'
import type { RecordLiveProps } from '#features/data/live/record-live.tsx'

/** What keeps a record live, fetched after it. Where it cannot be fetched, the record stays as it is. */
export function LateRecordLive(props: RecordLiveProps) {
  const loadArea = useLoadArea()
  const [part, setPart] = useState<ComponentType<RecordLiveProps>>()
  useEffect(() => {
    const parts = Promise.all([import('#features/data/live/record-live.tsx'), loadArea('live')])
    void parts.then(([{ RecordLive }]) => setPart(() => RecordLive), () => undefined)
  }, [loadArea])
  return part ? createElement(part, props) : null
}
