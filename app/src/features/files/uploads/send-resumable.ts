import type { DetailedError, HttpRequest, HttpResponse } from 'tus-js-client'
import { AppError } from '#api/app-error.ts'
import { shownPath } from '#api/call-log.ts'
import { toAppError } from '#api/unwrap.ts'
import type { FileSource } from '#features/files/source.ts'
import type { UploadWish } from './upload.ts'

export interface Sending extends UploadWish {
  source: FileSource
  /** The server's address of an upload begun before. */
  url: string | undefined
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
  /** Called once the server has given the upload an address; from then on it can be continued. */
  onUrl: (url: string) => void
}

/** Hosted projects take parts of exactly this size. */
const partBytes = 6 * 1024 * 1024

/** Short, since a longer wait is the list's own: it holds the upload until the network is back. */
const retryDelaysMs = [0, 1000, 3000, 6000]

const endpointOf = ({ connection }: FileSource) => `${connection.project.url}/storage/v1/upload/resumable`

/**
 * Sends a file in parts that can be continued. Stops without a word when the signal says so.
 *
 * @throws AppError; `signed-out` when there is no session of the person whose upload it is.
 * @see https://supabase.com/docs/guides/storage/uploads/resumable-uploads
 */
export async function sendResumable(sending: Sending): Promise<void> {
  const { Upload } = await import('tus-js-client')
  const { source, file, bucket, path, type, isReplacing, url, signal } = sending
  if (signal.aborted) return
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: endpointOf(source),
      uploadUrl: url ?? null,
      chunkSize: partBytes,
      uploadDataDuringCreation: true,
      // Kept by ourselves, per person: the library's own list knows no persons.
      storeFingerprintForResuming: false,
      retryDelays: retryDelaysMs,
      metadata: { bucketName: bucket, objectName: path, contentType: type, cacheControl: '3600' },
      headers: { apikey: source.connection.project.key, ...(isReplacing ? { 'x-upsert': 'true' } : {}) },
      ...watched(source),
      onShouldRetry: isWorthRetrying,
      onProgress: sending.onProgress,
      onUploadUrlAvailable: () => upload.url !== null && sending.onUrl(upload.url),
      onSuccess: () => resolve(),
      onError: (error) => reject(readFailure(error)),
    })
    signal.addEventListener('abort', () => {
      void upload.abort()
      resolve()
    })
    upload.start()
  })
}

/** Tells the server that an upload will not be continued. It forgets it by itself otherwise. */
export async function giveUp(source: FileSource, url: string): Promise<void> {
  const { Upload } = await import('tus-js-client')
  await Upload.terminate(url, { headers: { apikey: source.connection.project.key }, retryDelays: null, ...watched(source) }).catch(() => {})
}

/** Every request carries the token of now, and is told to the call log and to the watch over the connection. */
function watched({ client, connection, userId }: FileSource) {
  const startedAt = new WeakMap<HttpRequest, number>()
  return {
    onBeforeRequest: async (request: HttpRequest) => {
      const { data } = await client.auth.getSession()
      if (data.session?.user.id !== userId && readSubject(data.session?.access_token) !== userId) throw new AppError('signed-out', 'No session of the person whose upload this is')
      request.setHeader('authorization', `Bearer ${data.session?.access_token ?? ''}`)
      startedAt.set(request, Date.now())
    },
    onAfterResponse: (request: HttpRequest, response: HttpResponse) => {
      connection.connection.report('online')
      const at = startedAt.get(request) ?? Date.now()
      connection.calls.add({
        at,
        method: request.getMethod(),
        path: shownPath(new URL(request.getURL())),
        service: 'storage',
        status: response.getStatus(),
        durationMs: Date.now() - at,
        requestId: response.getHeader('sb-request-id') ?? '',
        errorCode: '',
        role: 'user',
        sizeBytes: null,
      })
    },
  }
}

/** Whose token it is; tokens-only sessions carry no user object. */
function readSubject(token: string | undefined): string | undefined {
  try {
    const [, payload = ''] = token?.split('.') ?? []
    const { sub } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: unknown }
    return typeof sub === 'string' ? sub : undefined
  } catch {
    return undefined
  }
}

const statusOf = (error: DetailedError): number => error.originalResponse?.getStatus() ?? 0

/** 409 to a part means that the server has another part already, 423 that it is still busy with the last one. */
function isWorthRetrying(error: DetailedError): boolean {
  if (error.causingError instanceof AppError) return false
  const status = statusOf(error)
  const isPart = error.originalRequest?.getMethod() !== 'POST'
  return status === 0 || status >= 500 || status === 429 || status === 423 || (status === 409 && isPart)
}

const codes: Readonly<Record<number, string>> = { 409: 'KeyAlreadyExists', 413: 'EntityTooLarge', 415: 'InvalidMimeType', 423: 'ResourceLocked' }

/** The library wraps what happened; servers answer in JSON or in a sentence. */
function readFailure(failure: Error | DetailedError): AppError {
  if (!('originalRequest' in failure)) return toAppError(failure)
  if (failure.causingError instanceof AppError) return failure.causingError
  const status = statusOf(failure)
  const body = failure.originalResponse?.getBody() ?? ''
  const code = codeIn(body) || (codes[status] ?? '')
  // Another request still holds the upload, or the server is on its way up: neither is the end of it.
  if (status === 423) return new AppError('busy', body, { status, code })
  return toAppError({ status, code, message: body.slice(0, 300) })
}

function codeIn(body: string): string {
  try {
    const { code } = JSON.parse(body) as { code?: unknown }
    return typeof code === 'string' ? code : ''
  } catch {
    return ''
  }
}
