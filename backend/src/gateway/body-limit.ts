import { ServiceError } from '#contract/service-error.ts'

/** The body is larger than the service takes. Each service renders it in its own dialect. */
export const bodyTooLarge = (limitBytes: number): ServiceError =>
  new ServiceError({ status: 413, code: 'request_entity_too_large', message: `Request body exceeded the limit of ${limitBytes} bytes` })

/**
 * Holds a request to a size. A declared length is judged at once; a body without one is counted while it is read.
 *
 * @throws ServiceError 413 `request_entity_too_large`.
 */
export function limitBody(request: Request, limitBytes: number): Request {
  // Where a service counts by itself, nothing stands between it and the body.
  if (request.method === 'GET' || request.method === 'HEAD' || limitBytes === Number.POSITIVE_INFINITY) return request
  const declared = request.headers.get('content-length')
  // The server cuts a body off at its declared length, so the number can be trusted.
  if (declared !== null && Number(declared) > limitBytes) throw bodyTooLarge(limitBytes)
  if (declared !== null || request.body === null) return request

  let seenBytes = 0
  const counted = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        seenBytes += chunk.byteLength
        if (seenBytes > limitBytes) controller.error(bodyTooLarge(limitBytes))
        else controller.enqueue(chunk)
      },
    }),
  )
  return new Request(request.url, { method: request.method, headers: request.headers, body: counted, signal: request.signal, duplex: 'half' } as RequestInit)
}
