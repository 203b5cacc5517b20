import type { AppError } from '#api/app-error.ts'

export type HoldReason = 'offline' | 'busy' | 'signed-out'

/** Where an upload stands. What was sent is kept through every step but the last. */
export type UploadState =
  /** Its turn will come. */
  | { step: 'waiting' }
  | { step: 'sending'; bytesPerSecond: number }
  /** Goes on by itself: with the network, when the server has time, or when its person has signed in again. */
  | { step: 'held'; reason: HoldReason }
  | { step: 'paused' }
  | { step: 'failed'; error: AppError }
  /** Begun before the page was loaded anew: the browser has no file any more, it has to be chosen once more. */
  | { step: 'lost' }
  | { step: 'done' }

export interface Upload {
  id: string
  bucket: string
  /** Where it will stand: `reports/2026/june.pdf`. */
  path: string
  sizeBytes: number
  sentBytes: number
  /** The name it had on the person's machine, by which it is found again. */
  givenName: string
  state: UploadState
}

/** What is to be sent, and where. */
export interface UploadWish {
  file: File
  bucket: string
  path: string
  type: string
  /** Writes over what stands there. */
  isReplacing: boolean
}

export const isFinished = ({ state }: Upload): boolean => state.step === 'done'

/** Steps that end only by something the person does. */
export const isStopped = ({ state }: Upload): boolean => state.step === 'failed' || state.step === 'paused' || state.step === 'lost'
