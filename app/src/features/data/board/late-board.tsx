import { createElement, useCallback, useEffect, useState, type ComponentType } from 'react'
import { DataFailure } from '#features/data/data-failure.tsx'
import { useLoadArea } from '#messages/messages.tsx'
import type { BoardProps } from './board.tsx'
import css from './board.module.css'

/** The board and its words, fetched when one is first looked at. */
export function LateBoard(props: BoardProps) {
  const loadArea = useLoadArea()
  const [part, setPart] = useState<ComponentType<BoardProps>>()
  const [error, setError] = useState<unknown>()
  const fetchParts = useCallback(() => {
    const parts = Promise.all([import('./board.tsx'), loadArea('board'), loadArea('live')])
    void parts.then(([{ Board }]) => setPart(() => Board), setError)
  }, [loadArea])
  useEffect(fetchParts, [fetchParts])
  if (part) return createElement(part, props)
  if (error === undefined) return <div className={css.place} />
  const again = () => {
    setError(undefined)
    fetchParts()
  }
  return <div className={css.place}><DataFailure error={error} onRetry={again} /></div>
}
