import { createHash } from 'node:crypto'
import type { Clock } from '#contract/clock.ts'
import { deriveSigningKey, encodeStrictly, scopeText, signaturesOf } from './signature.ts'
import type { SignatureClaim } from './signature-claim.ts'
import { readXml, textOf, type XmlNode } from './xml.ts'

/** A bucket elsewhere, and how it is reached. */
export interface RemoteBucket {
  bucket: string
  /** Without the bucket: `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string
  region: string
  /** The bucket stands in the path instead of in the host's name. */
  forcePathStyle: boolean
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** One request to the bucket. */
export interface RemoteRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Left out: the bucket itself. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
  signal?: AbortSignal | undefined
}

/** The bucket refused, or could not be asked. Its text is for the operator. */
export class RemoteBucketError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** `NoSuchKey`, `AccessDenied`; empty when it said none. */
  readonly code: string

  constructor({ status, code, message }: { status: number; code: string; message: string }, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'RemoteBucketError'
    this.status = status
    this.code = code
  }
}

/** Asks a bucket over HTTP, signed, again when it was busy or not there. */
export interface RemoteClient {
  readonly bucket: string
  /**
   * @returns a good answer, whose body must be read or cancelled; undefined for 404.
   * @throws RemoteBucketError
   */
  ask(request: RemoteRequest): Promise<Response | undefined>
  /** @throws RemoteBucketError when the bucket cannot be reached, is not there or is not open to these keys. */
  checkBucket(): Promise<void>
}

export interface ClientDeps {
  clock: Clock
  /** Default: the platform's own. */
  fetch?: (request: Request) => Promise<Response>
  /** Waits between attempts; doubled each time. Default 200. */
  pauseMs?: number
}

const attempts = 4
// Until the head of an answer; a body takes as long as it takes.
const patienceMs = 30_000

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

function urlOf({ bucket, endpoint, forcePathStyle }: RemoteBucket, { key = '', query = {} }: RemoteRequest): URL {
  const url = new URL(endpoint)
  const base = url.pathname.replace(/\/+$/, '')
  if (!forcePathStyle) url.host = `${bucket}.${url.host}`
  const path = key.split('/').map(encodeStrictly).join('/')
  url.pathname = `${base}${forcePathStyle ? `/${bucket}` : ''}/${path}`
  url.search = Object.entries(query).map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`).join('&')
  return url
}

function signedHeaders(target: RemoteBucket, request: RemoteRequest, { url, nowMs }: { url: URL; nowMs: number }): Headers {
  const moment = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const payloadHash = sha256(request.body ?? '')
  const headers = new Headers({ ...request.headers, 'x-amz-content-sha256': payloadHash, 'x-amz-date': moment })
  if (target.sessionToken !== undefined) headers.set('x-amz-security-token', target.sessionToken)
  const scope = { day: moment.slice(0, 8), region: target.region, service: 's3' }
  const claim: SignatureClaim = { via: 'header', accessKeyId: target.accessKeyId, scope, signature: '', moment, signedHeaders: ['host', ...headers.keys()] }
  const signed = { method: request.method, pathname: url.pathname, query: url.search.slice(1), headers, hosts: [url.host], payloadHash }
  const [signature] = signaturesOf(deriveSigningKey(target.secretAccessKey, scope), claim, signed)
  const names = claim.signedHeaders.toSorted().join(';')
  headers.set('authorization', `AWS4-HMAC-SHA256 Credential=${target.accessKeyId}/${scopeText(scope)}, SignedHeaders=${names}, Signature=${signature}`)
  return headers
}

async function describeFailure(answer: Response, { method, key = '' }: RemoteRequest): Promise<RemoteBucketError> {
  const text = await answer.text().catch(() => '')
  let said: XmlNode | undefined
  try {
    said = readXml(text)
  } catch {
    // Not every answer on the way is the bucket's own.
  }
  const code = (said && textOf(said, 'Code')) ?? ''
  const words = said && textOf(said, 'Message')
  return new RemoteBucketError({ status: answer.status, code, message: `${method} ${key || 'of the bucket'} was answered ${answer.status}${code === '' ? '' : ` ${code}`}${words === undefined ? '' : `: ${words}`}` })
}

const isPassing = (error: unknown): boolean => error instanceof RemoteBucketError && (error.status === 0 || error.status === 429 || error.status >= 500 || error.code === 'RequestTimeout')

/** Makes the client of a bucket. */
export function createRemoteClient(target: RemoteBucket, { clock, fetch = (request) => globalThis.fetch(request), pauseMs = 200 }: ClientDeps): RemoteClient {
  const once = async (request: RemoteRequest): Promise<Response | undefined> => {
    const url = urlOf(target, request)
    const headers = signedHeaders(target, request, { url, nowMs: clock.now() })
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(new Error('no answer came in time')), patienceMs)
    const signal = request.signal ? AbortSignal.any([request.signal, waiting.signal]) : waiting.signal
    let answer: Response
    try {
      answer = await fetch(new Request(url, { method: request.method, headers, redirect: 'manual', signal, ...(request.body === undefined ? {} : { body: request.body as BodyInit }) }))
    } catch (error) {
      request.signal?.throwIfAborted()
      throw new RemoteBucketError({ status: 0, code: '', message: `The bucket at ${url.origin} does not answer` }, { cause: error })
    } finally {
      clearTimeout(timer)
    }
    if (answer.ok) return answer
    if (answer.status !== 404) throw await describeFailure(answer, request)
    const failure = await describeFailure(answer, request)
    // A bucket that is gone is not a key that is gone.
    if (failure.code === 'NoSuchBucket') throw failure
    return undefined
  }

  const client: RemoteClient = {
    bucket: target.bucket,
    async ask(request) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(request)
        } catch (error) {
          if (attempt === attempts || !isPassing(error) || request.signal?.aborted === true) throw error
          await new Promise((resolve) => setTimeout(resolve, pauseMs * 2 ** (attempt - 1)))
        }
      }
    },
    async checkBucket() {
      const where = `The bucket "${target.bucket}" at ${target.endpoint}`
      const said = (error: unknown) => (error instanceof RemoteBucketError ? error : new RemoteBucketError({ status: 0, code: '', message: String(error) }))
      // A question with a body for its answer: a refusal of HEAD has no words.
      const found = await client.ask({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } }).catch((error: unknown) => {
        const { status, code, message } = said(error)
        throw new RemoteBucketError({ status, code, message: `${where} cannot be used: ${message}` }, { cause: error })
      })
      if (!found) throw new RemoteBucketError({ status: 404, code: 'NoSuchBucket', message: `${where} is not there` })
      await found.body?.cancel()
    },
  }
  return client
}
