import type { BucketView } from '#features/files/list/bucket-screen.tsx'
import { CarryDialog } from './carry-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DownloadDialog } from './download-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { NewFolderDialog } from './new-folder-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import type { Task } from './task.ts'

/** What every dialog of a task is given. */
export interface TaskParts {
  shared: BucketView
  onClose: () => void
}

/** The dialog of what the person is about to do. */
export function TaskDialog({ task, ...parts }: TaskParts & { task: Task }) {
  switch (task.kind) {
    case 'new-folder': return <NewFolderDialog {...parts} />
    case 'rename': return <RenameDialog {...parts} entry={task.entry} />
    case 'move':
    case 'copy': return <CarryDialog {...parts} verb={task.kind} entries={task.entries} />
    case 'delete': return <DeleteDialog {...parts} entries={task.entries} />
    case 'link': return <LinkDialog {...parts} entry={task.entry} />
    case 'download': return <DownloadDialog {...parts} entries={task.entries} />
  }
}
