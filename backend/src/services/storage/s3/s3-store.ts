import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { parseBlobKey, type BlobKey } from '#services/storage/bytes/blob-key.ts'
import type { ByteRange, ByteSource, ByteStore, OpenBytes, PutOptions, StoredBytes } from '#services/storage/bytes/byte-store.ts'
import { RemoteBucketError, type RemoteClient } from './s3-client.ts'
import { childrenOf, readXml, textOf, writeXml, type XmlNode } from './xml.ts'

export interface S3StoreOptions {
  client: RemoteClient
  /** What all keys begin with, a slash at its end included. */
  prefix: string
  /** Whether the prefix is this project's alone: only then may what no row names be removed, since another box may know a row for it. */
  ownsPrefix: boolean
  /** On this machine, for parts that are not an object yet. */
  scratchFolder: string
  /** Bytes held in memory and sent at once. Default 8 MiB, the least is 5. */
  partBytes?: number
}

const megabyte = 1024 * 1024
const mostParts = 10_000
// What may be copied at once.
const mostCopiedBytes = 5 * 1024 * megabyte
const copiedPartBytes = 1024 * megabyte
const mostDeleted = 1000
const dayMs = 24 * 3600_000

const readAnswer = async (answer: Response | undefined): Promise<XmlNode> => readXml((await answer?.text()) ?? '')
const discard = async (answer: Response | undefined): Promise<void> => void (await answer?.body?.cancel())

/** Cuts a stream into pieces of one size; the last may be smaller. Grows with what has gone by, since an object has ten thousand parts at most. */
async function* inParts(source: ByteSource, partBytes: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let made = 0
  const wanted = () => partBytes * (1 + Math.floor(made / (mostParts / 10)))
  for await (const piece of source) {
    held.push(piece)
    heldBytes += piece.length
    while (heldBytes >= wanted()) {
      const whole = Buffer.concat(held, heldBytes)
      const size = wanted()
      yield whole.subarray(0, size)
      made += 1
      held = [whole.subarray(size)]
      heldBytes = whole.length - size
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held, heldBytes)
}

interface NamedPart {
  PartNumber: number
  ETag: string
}

/** Keeps each version as an object of a bucket elsewhere, whole or not at all: objects in parts appear when they are completed. */
class S3Store implements ByteStore {
  readonly scratchFolder: string
  readonly #client: RemoteClient
  readonly #prefix: string
  readonly #ownsPrefix: boolean
  readonly #partBytes: number

  constructor({ client, prefix, ownsPrefix, scratchFolder, partBytes = 8 * megabyte }: S3StoreOptions) {
    this.#client = client
    this.#prefix = prefix
    this.#ownsPrefix = ownsPrefix
    this.#partBytes = partBytes
    this.scratchFolder = scratchFolder
  }

  async put(key: BlobKey, source: ByteSource, { contentType = 'application/octet-stream', eTag, signal }: PutOptions = {}): Promise<StoredBytes> {
    const hash = createHash('md5')
    let sizeBytes = 0
    const counted = async function* () {
      for await (const piece of source) {
        signal?.throwIfAborted()
        hash.update(piece)
        sizeBytes += piece.length
        yield piece
      }
    }
    const parts = inParts(counted(), this.#partBytes)
    const first = await parts.next()
    const second = first.done === true ? first : await parts.next()
    const name = this.#nameOf(key)
    const headers = { 'content-type': contentType }
    if (second.done === true) {
      await discard(await this.#client.ask({ method: 'PUT', key: name, headers, body: first.done === true ? new Uint8Array() : first.value, signal }))
    } else {
      await this.#inMany(name, headers, async (take) => {
        await take(first.value as Buffer)
        await take(second.value)
        for await (const part of parts) await take(part)
      })
    }
    return { sizeBytes, eTag: eTag ?? `"${hash.digest('hex')}"`, storedAt: new Date() }
  }

  async adopt(key: BlobKey, path: string, options: PutOptions = {}): Promise<StoredBytes> {
    const stored = await this.put(key, createReadStream(path, { highWaterMark: megabyte }) as AsyncIterable<Uint8Array>, options)
    await rm(path, { force: true })
    return stored
  }

  async get(key: BlobKey, range?: ByteRange): Promise<OpenBytes | undefined> {
    const headers = range ? { range: `bytes=${range.first}-${range.last}` } : {}
    const answer = await this.#client.ask({ method: 'GET', key: this.#nameOf(key), headers })
    if (!answer) return undefined
    const whole = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? answer.headers.get('content-length')
    return { sizeBytes: Number(whole), body: answer.body ?? new Blob([]).stream() }
  }

  async sizeOf(key: BlobKey): Promise<number | undefined> {
    const answer = await this.#client.ask({ method: 'HEAD', key: this.#nameOf(key) })
    return answer ? Number(answer.headers.get('content-length')) : undefined
  }

  async copy(from: BlobKey, to: BlobKey): Promise<boolean> {
    const sizeBytes = await this.sizeOf(from)
    if (sizeBytes === undefined) return false
    const source = { 'x-amz-copy-source': this.#copySource(from) }
    if (sizeBytes <= mostCopiedBytes) {
      const answer = await this.#client.ask({ method: 'PUT', key: this.#nameOf(to), headers: source })
      if (!answer) return false
      await discard(answer)
      return true
    }
    await this.#inMany(this.#nameOf(to), {}, async (_take, copyPart) => {
      for (let first = 0; first < sizeBytes; first += copiedPartBytes) {
        await copyPart({ ...source, 'x-amz-copy-source-range': `bytes=${first}-${Math.min(first + copiedPartBytes, sizeBytes) - 1}` })
      }
    })
    return true
  }

  async remove(keys: readonly BlobKey[]): Promise<void> {
    for (let at = 0; at < keys.length; at += mostDeleted) {
      const names = keys.slice(at, at + mostDeleted).map((key) => ({ Key: this.#nameOf(key) }))
      const body = Buffer.from(writeXml('Delete', { Object: names, Quiet: true }))
      const headers = { 'content-type': 'application/xml', 'content-md5': createHash('md5').update(body).digest('base64') }
      const result = await readAnswer(await this.#client.ask({ method: 'POST', query: { delete: '' }, headers, body }))
      const [failed] = childrenOf(result, 'Error')
      if (failed) throw new Error(`The bucket did not delete ${textOf(failed, 'Key') ?? ''}: ${textOf(failed, 'Code') ?? ''}`)
    }
  }

  async *list(): AsyncGenerator<{ key: BlobKey; storedAt: Date }> {
    if (!this.#ownsPrefix) return
    for (let token: string | undefined; ; ) {
      const query = { 'list-type': '2', prefix: this.#prefix, ...(token === undefined ? {} : { 'continuation-token': token }) }
      const page = await readAnswer(await this.#client.ask({ method: 'GET', query }))
      for (const object of childrenOf(page, 'Contents')) {
        const key = parseBlobKey((textOf(object, 'Key') ?? '').slice(this.#prefix.length))
        if (key) yield { key, storedAt: new Date(textOf(object, 'LastModified') ?? '') }
      }
      token = textOf(page, 'NextContinuationToken')
      if (token === undefined || textOf(page, 'IsTruncated') !== 'true') return
    }
  }

  // Another process may be at it, so what is younger than a day is left alone, at the start too.
  async removeAbandoned(olderThanMs: number): Promise<void> {
    if (!this.#ownsPrefix) return
    const before = Date.now() - Math.max(olderThanMs, dayMs)
    const page = await readAnswer(await this.#client.ask({ method: 'GET', query: { uploads: '', prefix: this.#prefix } }))
    for (const upload of childrenOf(page, 'Upload')) {
      if (Date.parse(textOf(upload, 'Initiated') ?? '') >= before) continue
      await discard(await this.#client.ask({ method: 'DELETE', key: textOf(upload, 'Key') ?? '', query: { uploadId: textOf(upload, 'UploadId') ?? '' } }))
    }
  }

  async claim(ownerId: string): Promise<boolean> {
    const key = `${this.#prefix}owner`
    const read = async () => (await this.#client.ask({ method: 'GET', key }))?.text()
    const owner = await read()
    if (owner !== undefined) return owner === ownerId
    // Of two that come at once one is refused; where the service knows no such condition, the later one wins, and both read who did.
    await this.#client.ask({ method: 'PUT', key, headers: { 'if-none-match': '*' }, body: Buffer.from(ownerId) }).then(discard, (error: unknown) => {
      if (!(error instanceof RemoteBucketError && (error.status === 412 || error.status === 409))) throw error
    })
    return (await read()) === ownerId
  }

  async close(): Promise<void> {}

  #nameOf(key: BlobKey): string {
    return `${this.#prefix}${key}`
  }

  #copySource(key: BlobKey): string {
    return `/${this.#client.bucket}/${this.#nameOf(key)}`
  }

  async #inMany(
    key: string,
    headers: Readonly<Record<string, string>>,
    send: (take: (part: Buffer) => Promise<void>, copyPart: (headers: Readonly<Record<string, string>>) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const begun = await readAnswer(await this.#client.ask({ method: 'POST', key, query: { uploads: '' }, headers }))
    const uploadId = textOf(begun, 'UploadId') ?? ''
    const named: NamedPart[] = []
    const next = () => ({ uploadId, partNumber: String(named.length + 1) })
    try {
      await send(
        async (body) => {
          const answer = await this.#client.ask({ method: 'PUT', key, query: next(), body })
          named.push({ PartNumber: named.length + 1, ETag: answer?.headers.get('etag') ?? '' })
          await discard(answer)
        },
        async (copyHeaders) => {
          const result = await readAnswer(await this.#client.ask({ method: 'PUT', key, query: next(), headers: copyHeaders }))
          named.push({ PartNumber: named.length + 1, ETag: textOf(result, 'ETag') ?? '' })
        },
      )
      const body = Buffer.from(writeXml('CompleteMultipartUpload', { Part: named.map((part) => ({ ...part })) }))
      const done = await readAnswer(await this.#client.ask({ method: 'POST', key, query: { uploadId }, headers: { 'content-type': 'application/xml' }, body }))
      // Completing may fail after its answer has begun.
      if (done.name === 'Error') throw new Error(`The bucket did not join the parts: ${textOf(done, 'Code') ?? ''}`)
    } catch (error) {
      await this.#client.ask({ method: 'DELETE', key, query: { uploadId } }).then(discard, () => undefined)
      throw error
    }
  }
}

/**
 * Opens a store in a bucket elsewhere.
 *
 * @throws RemoteBucketError when the bucket cannot be reached or is not open to these keys.
 */
export async function openS3Store(options: S3StoreOptions): Promise<ByteStore> {
  await mkdir(options.scratchFolder, { recursive: true, mode: 0o700 })
  await options.client.checkBucket()
  return new S3Store(options)
}
