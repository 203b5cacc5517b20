import { Readable } from 'node:stream'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { testS3, type TestStorage } from '#services/storage/open-test-storage.ts'

type Handler = Exclude<NonNullable<S3ClientConfig['requestHandler']>, Record<string, never>>

interface SentRequest {
  method: string
  hostname: string
  path: string
  query?: Record<string, string | string[] | null>
  headers: Record<string, string>
  body?: string | Uint8Array | Readable
}

const encode = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

const queryOf = (query: SentRequest['query'] = {}): string =>
  Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => (one === null ? encode(name) : `${encode(name)}=${encode(one)}`))).join('&')

async function send(storage: TestStorage, { method, path, query, headers, body }: SentRequest) {
  const text = queryOf(query)
  const sent = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream<Uint8Array>) : (body as BodyInit | undefined)
  const answer = await storage.send(`${path.replace('/storage/v1', '')}${text === '' ? '' : `?${text}`}`, {
    method,
    headers,
    ...(sent === undefined || sent === '' || method === 'GET' || method === 'HEAD' ? {} : { body: sent, duplex: 'half' as const }),
  })
  return { response: { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body: answer.body ? Readable.fromWeb(answer.body as never) : Readable.from([]) } }
}

/** The official client, speaking to a service without a port. */
export function openTestS3(storage: TestStorage, config: S3ClientConfig = {}): S3Client {
  const requestHandler = { handle: (request: unknown) => send(storage, request as SentRequest), metadata: { handlerProtocol: 'http/1.1' }, destroy() {} }
  return new S3Client({
    endpoint: 'http://storage.test/storage/v1/s3',
    region: testS3.region,
    forcePathStyle: true,
    credentials: testS3,
    maxAttempts: 1,
    requestHandler: requestHandler as unknown as Handler,
    ...config,
  })
}
