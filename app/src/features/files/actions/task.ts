import type { Entry, FileEntry } from '#features/files/names/entry.ts'

/** What the person is about to do, each in a dialog of its own. */
export type Task =
  | { kind: 'new-folder' }
  | { kind: 'rename'; entry: Entry }
  | { kind: 'move' | 'copy'; entries: readonly Entry[] }
  | { kind: 'delete'; entries: readonly Entry[] }
  | { kind: 'link'; entry: FileEntry }
  | { kind: 'download'; entries: readonly Entry[] }
