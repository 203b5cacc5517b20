// The shapes of the storage API, by their hosted spelling.

/** Given by whoever uploads: any JSON object. */
export type UserMetadata = Readonly<Record<string, unknown>>

/** What the service itself keeps of a file, in `storage.objects.metadata`. */
export interface FileMetadata {
  /** Quoted. */
  eTag: string
  size: number
  mimetype: string
  /** The header as it is sent: `max-age=3600`. */
  cacheControl: string
  /** ISO 8601. */
  lastModified: string
  contentLength: number
  httpStatusCode: number
  xRobotsTag?: string
}

/** A row of `storage.objects`; moments as ISO 8601 with milliseconds. */
export interface ObjectRow {
  id: string
  bucket_id: string
  name: string
  owner: string | null
  owner_id: string | null
  version: string | null
  /** Rows written by SQL may hold anything, or nothing. */
  metadata: Readonly<Record<string, unknown>> | null
  user_metadata: UserMetadata | null
  created_at: string
  updated_at: string
  last_accessed_at: string
}

/** A row of `storage.buckets`. */
export interface BucketRow {
  id: string
  name: string
  /** Empty when nobody owns it. */
  owner: string
  public: boolean
  type: 'STANDARD' | 'ANALYTICS' | 'VECTOR'
  file_size_limit: number | null
  /** Null: any. */
  allowed_mime_types: string[] | null
  created_at: string
  updated_at: string
}

/** One line of a listing; a folder has a name alone. */
export interface ListedObject {
  /** Relative to the prefix. */
  name: string
  id: string | null
  updated_at: string | null
  created_at: string | null
  last_accessed_at: string | null
  metadata: Readonly<Record<string, unknown>> | null
}

/** One line of the newer listing: the whole name, and the last part of it where folders are asked for. */
export interface ListedObjectV2 extends ListedObject {
  key?: string
}
