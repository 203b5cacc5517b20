/** What `[storage]` of config.toml and the operator decide. */
export interface StorageSettings {
  /** No file may be larger, whatever its bucket allows. */
  fileSizeLimitBytes: number
  imageTransformation: boolean
  s3Protocol: boolean
  /** How long a link to upload to works. */
  uploadLinkSeconds: number
}

export const defaultStorageSettings: StorageSettings = {
  fileSizeLimitBytes: 50 * 1024 * 1024,
  imageTransformation: true,
  s3Protocol: true,
  uploadLinkSeconds: 7200,
}
