import type { ByteRange } from './bytes/byte-store.ts'
import { rangeInvalid } from './errors.ts'

/**
 * Reads a `Range` header: one range of bytes, cut at the file's end.
 *
 * @throws `InvalidRange` (416) for anything else.
 */
export function parseRange(header: string, sizeBytes: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? []
  if ((from === '' && to === '') || sizeBytes === 0) throw rangeInvalid()
  if (from === '') {
    const wanted = Number(to)
    if (wanted === 0) throw rangeInvalid()
    return { first: Math.max(sizeBytes - wanted, 0), last: sizeBytes - 1 }
  }
  const first = Number(from)
  const last = to === '' ? sizeBytes - 1 : Number(to)
  if (first >= sizeBytes || last < first || !Number.isSafeInteger(first)) throw rangeInvalid()
  return { first, last: Math.min(last, sizeBytes - 1) }
}

export const contentRange = ({ first, last }: ByteRange, sizeBytes: number): string => `bytes ${first}-${last}/${sizeBytes}`
