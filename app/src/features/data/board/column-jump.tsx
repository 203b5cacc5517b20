import { useEffect, useState, type RefObject } from 'react'
import { classNames } from '#ui/class-names.ts'
import { Select } from '#ui/select.tsx'
import { useMedia } from '#ui/use-media.ts'
import css from './board.module.css'
import { isOpenTo, useBoardWords, useGroupLabel } from './board-view.ts'
import type { Group } from './groups.ts'

/** More columns than this are chosen from a list. */
const mostTabs = 8

/** The way to a column that is out of sight: on a phone, and where there are many. */
export function ColumnJump({ scroller, groups }: { scroller: RefObject<HTMLElement | null>; groups: readonly Group[] }) {
  const words = useBoardWords()
  const labelOf = useGroupLabel()
  const isNarrow = useMedia('(max-width: 639px)')
  const open = groups.filter(isOpenTo)
  const at = useColumnInSight(scroller, isNarrow)
  if (!isNarrow && open.length <= mostTabs) return null
  const go = (id: string) => columnsOf(scroller.current).find((column) => column.dataset['group'] === id)?.scrollIntoView({ block: 'nearest', inline: 'start' })
  if (open.length > mostTabs) {
    return (
      <div className={css.jump}>
        <Select label={words.goToColumn} labelHidden value={at ?? ''} onChange={(event) => go(event.target.value)}>
          {open.map((group) => <option key={group.id} value={group.id}>{labelOf(group)}</option>)}
        </Select>
      </div>
    )
  }
  return (
    <nav className={css.jump} aria-label={words.columns}>
      {open.map((group) => (
        <button key={group.id} type="button" className={classNames(css.tab, at === group.id && css.tabHere)} aria-current={at === group.id || undefined} onClick={() => go(group.id)}>{labelOf(group)}</button>
      ))}
    </nav>
  )
}

const columnsOf = (board: HTMLElement | null): HTMLElement[] => [...(board?.querySelectorAll<HTMLElement>('[data-group]') ?? [])]

/** The column that stands at the start of the board. */
function useColumnInSight(scroller: RefObject<HTMLElement | null>, isNarrow: boolean): string | undefined {
  const [at, setAt] = useState<string>()
  useEffect(() => {
    const board = scroller.current
    if (!board) return
    const look = () => {
      const middle = board.getBoundingClientRect()
      const wanted = isNarrow ? middle.left + middle.width / 2 : getComputedStyle(board).direction === 'rtl' ? middle.right - 40 : middle.left + 40
      const found = columnsOf(board).find((column) => {
        const { left, right } = column.getBoundingClientRect()
        return left <= wanted && wanted <= right + 12
      })
      setAt(found?.dataset['group'])
    }
    look()
    board.addEventListener('scroll', look, { passive: true })
    return () => board.removeEventListener('scroll', look)
  }, [scroller, isNarrow])
  return at
}
