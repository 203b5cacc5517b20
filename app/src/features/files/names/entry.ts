import { nameOf, placeholderName } from './object-name.ts'

/** What a list holds. A folder is nothing but the beginning that paths share: it has no size and no dates. */
export type Entry = FileEntry | FolderEntry

export interface FolderEntry {
  kind: 'folder'
  path: string
  name: string
}

export interface FileEntry {
  kind: 'file'
  path: string
  name: string
  id: string
  sizeBytes: number
  /** MIME type as stored; empty when none is. */
  type: string
  /** ISO moments; empty when the server gave none. */
  updatedAt: string
  createdAt: string
}

interface StoredObject {
  id?: string | null
  metadata?: { size?: unknown; mimetype?: unknown } | null
  updated_at?: string | null
  created_at?: string | null
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const fileEntry = (path: string, object: StoredObject): FileEntry => ({
  kind: 'file',
  path,
  name: nameOf(path),
  id: object.id ?? path,
  sizeBytes: Number(object.metadata?.size ?? 0),
  type: text(object.metadata?.mimetype),
  updatedAt: text(object.updated_at),
  createdAt: text(object.created_at),
})

export const folderEntry = (path: string): FolderEntry => ({ kind: 'folder', path, name: nameOf(path) })

export const isShown = ({ name }: Entry): boolean => name !== placeholderName && name !== ''
