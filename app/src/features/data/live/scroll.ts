import { placeBehind } from './pages.ts'

/** The list of rows on the same screen: the grid, or on small screens the list. */
export const listBeside = (element: HTMLElement | null): HTMLElement | undefined =>
  element?.closest('section')?.querySelector<HTMLElement>('[role="grid"], [role="region"]') ?? undefined

export interface Leaving {
  /** Places of the rows left out so far, and of those left out from now on; ascending. */
  before: readonly number[]
  after: readonly number[]
}

/** Draws, and keeps what is in sight where it is: rows that leave above it must not pull it up. */
export function keepInSight(list: HTMLElement | undefined, { before, after }: Leaving, draw: () => void): void {
  const height = list?.querySelector<HTMLElement>('[data-cell]:not([data-cell^="-"]), li')?.offsetHeight ?? 0
  const top = list?.scrollTop ?? 0
  draw()
  if (!list || height === 0 || top === 0) return
  const first = placeBehind(before, Math.floor(top / height))
  const shift = after.filter((place) => place < first).length - before.filter((place) => place < first).length
  if (shift !== 0) list.scrollTop = top - shift * height
}
