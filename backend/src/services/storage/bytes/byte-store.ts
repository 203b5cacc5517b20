import type { BlobKey } from './blob-key.ts'

/** What a store knows of bytes it has taken. */
export interface StoredBytes {
  sizeBytes: number
  /** Quoted: `"9e107d9d372bb6826bd81d3542a419d6"`, the MD5 of the bytes unless the caller gave another. */
  eTag: string
  storedAt: Date
}

/** Both ends belong to it, counted from 0. */
export interface ByteRange {
  first: number
  last: number
}

/** A stream of a request, of a file, or of anything else that gives bytes. */
export type ByteSource = AsyncIterable<Uint8Array>

export interface OpenBytes {
  /** Whole size of what is stored, whatever the range. */
  sizeBytes: number
  /** Must be read to its end or cancelled. */
  body: ReadableStream<Uint8Array>
}

export interface PutOptions {
  /** The type clients are told; stores that keep one of their own are given it. */
  contentType?: string
  /** Given when known; a store may need it to choose how it sends. */
  sizeBytes?: number
  /** Kept instead of the MD5, as S3 does for objects made of parts. */
  eTag?: string
  signal?: AbortSignal
}

/**
 * Keeps bytes under keys. A key is written once: nothing is ever changed in place, so a reader never sees half of anything.
 */
export interface ByteStore {
  /**
   * Takes a stream. Either all of it is stored when this settles, and survives a loss of power, or nothing is.
   *
   * @throws whatever the source throws.
   */
  put(key: BlobKey, source: ByteSource, options?: PutOptions): Promise<StoredBytes>
  /** Takes over a finished file of `scratchFolder`; the file is gone afterwards. */
  adopt(key: BlobKey, path: string, options?: PutOptions): Promise<StoredBytes>
  /** Opens bytes, or a part of them; undefined when there are none. The range must lie within the size. */
  get(key: BlobKey, range?: ByteRange): Promise<OpenBytes | undefined>
  /** The size; undefined when nothing is stored. */
  sizeOf(key: BlobKey): Promise<number | undefined>
  /** Copies; false when there is nothing under `from`. */
  copy(from: BlobKey, to: BlobKey): Promise<boolean>
  /** Removes; what is not there is not missed. */
  remove(keys: readonly BlobKey[]): Promise<void>
  /** Everything that is stored, in no order. */
  list(): AsyncIterable<{ key: BlobKey; storedAt: Date }>
  /** Forgets what an ended process left half-written; `olderThanMs` spares what may still be going on. */
  removeAbandoned(olderThanMs: number): Promise<void>
  /** Takes the store for a database, known by an id of its own; false when it was taken for another one before. Survives restarts. */
  claim(ownerId: string): Promise<boolean>
  /** A folder on this machine for parts that are not an object yet, on the same disk as the objects where there is one. */
  readonly scratchFolder: string
  close(): Promise<void>
}
