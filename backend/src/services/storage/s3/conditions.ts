import type { ByteRange } from '#services/storage/bytes/byte-store.ts'
import { rangeInvalid } from '#services/storage/errors.ts'
import { invalidRequest } from './errors.ts'

/** What a condition is about. */
export interface Validators {
  /** Quoted. */
  eTag: string | undefined
  lastModified: Date | undefined
}

/** The headers a condition is written in: those of a read, or those of a copy's source. */
export interface Conditions {
  ifMatch: string | undefined
  ifNoneMatch: string | undefined
  ifModifiedSince: string | undefined
  ifUnmodifiedSince: string | undefined
}

export type Verdict = 'holds' | 'not-modified' | 'failed'

const bare = (tag: string): string => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '')

const names = (list: string, eTag = ''): boolean => list.trim() === '*' || list.split(',').some((tag) => bare(tag) === bare(eTag))

// Headers have no parts of seconds.
const seconds = (date: Date | number): number => Math.floor(Number(date) / 1000)

function isAfter(lastModified: Date | undefined, header: string): boolean | undefined {
  const since = Date.parse(header)
  return lastModified === undefined || Number.isNaN(since) ? undefined : seconds(lastModified) > seconds(since)
}

/**
 * Judges conditions in the order HTTP gives them; a date that is none is left aside.
 *
 * @see RFC 9110, 13.2.2
 */
export function judgeConditions({ ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince }: Conditions, { eTag, lastModified }: Validators): Verdict {
  if (ifMatch !== undefined) {
    if (!names(ifMatch, eTag)) return 'failed'
  } else if (ifUnmodifiedSince !== undefined && isAfter(lastModified, ifUnmodifiedSince) === true) return 'failed'
  if (ifNoneMatch !== undefined) return names(ifNoneMatch, eTag) ? 'not-modified' : 'holds'
  return ifModifiedSince !== undefined && isAfter(lastModified, ifModifiedSince) === false ? 'not-modified' : 'holds'
}

/**
 * Reads the range of a copied part, both ends of which must be given.
 *
 * @throws `InvalidRequest` (400), `InvalidRange` (416).
 */
export function readCopyRange(header: string, sizeBytes: number): ByteRange {
  const found = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header.trim())
  if (!found) throw invalidRequest('The x-amz-copy-source-range value must be of the form bytes=first-last')
  const [first, last] = [Number(found[1]), Number(found[2])]
  if (first > last || last >= sizeBytes) throw rangeInvalid()
  return { first, last }
}
