import type { ChangeFeed } from './change-feed.ts'

/** Stands where nothing tells of the database's changes: everything that needs none works. */
export const noChanges: ChangeFeed = {
  start: async () => undefined,
  close: async () => undefined,
  subscribe({ onStatus }) {
    onStatus({ status: 'error', message: 'This backend does not tell of changes yet' })
    return { updateReader: () => undefined, unsubscribe: () => undefined }
  },
  hearMessages: () => undefined,
  isListening: () => true,
  replay: async () => [],
}
