/** What a moment saw of the transactions: `xmin:xmax:xip,xip`, as `pg_current_snapshot()` writes it. Numbers fit: they are not wrapped, and far from 2^53. */
export interface Snapshot {
  /** Below it, all had ended. */
  xmin: number
  /** From it on, none had. */
  xmax: number
  running: ReadonlySet<number>
  text: string
}

export function readSnapshot(text: string): Snapshot {
  const [xmin = '', xmax = '', running = ''] = text.split(':')
  return { xmin: Number(xmin), xmax: Number(xmax), running: new Set(running === '' ? [] : running.split(',').map(Number)), text }
}

/** Whether a transaction had ended at that moment. */
export const isVisibleIn = (snapshot: Snapshot, xid: number): boolean =>
  xid < snapshot.xmin || (xid < snapshot.xmax && !snapshot.running.has(xid))
