import { unwrap } from '#api/unwrap.ts'
import { wirePath } from '#features/files/names/object-name.ts'
import type { Sending } from './send-resumable.ts'

/** Sends a file in one piece: where there is nothing to send in parts, or the project takes no parts. @throws AppError */
export async function sendWhole({ source, file, bucket, path, type, isReplacing, onProgress }: Sending): Promise<void> {
  // The form the client makes of it says the type of the file itself.
  const body = file.type === type ? file : new File([file], file.name, { type })
  await unwrap(source.client.storage.from(bucket).upload(wirePath(path), body, { upsert: isReplacing, contentType: type, cacheControl: '3600' }))
  onProgress(file.size)
}
