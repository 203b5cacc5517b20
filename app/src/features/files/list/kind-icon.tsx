import { File, FileArchive, FileCode2, FileImage, FileMusic, FilePlay, FileSpreadsheet, FileText, Folder, type LucideIcon } from 'lucide-react'
import type { Entry } from '#features/files/names/entry.ts'
import { kindOf, type FileKind } from '#features/files/names/file-kind.ts'

const drawings: Readonly<Record<FileKind, LucideIcon>> = {
  image: FileImage,
  video: FilePlay,
  audio: FileMusic,
  pdf: FileText,
  table: FileSpreadsheet,
  text: FileText,
  code: FileCode2,
  archive: FileArchive,
  other: File,
}

/** What an entry is, drawn. Its words stand beside it. */
export function KindIcon({ entry, size = 16, className }: { entry: Pick<Entry, 'kind' | 'name'> & { type?: string }; size?: number; className?: string | undefined }) {
  const Drawing = entry.kind === 'folder' ? Folder : drawings[kindOf({ name: entry.name, type: entry.type ?? '' })]
  return <Drawing size={size} strokeWidth={size > 20 ? 1.5 : 1.75} aria-hidden focusable={false} className={className} />
}
