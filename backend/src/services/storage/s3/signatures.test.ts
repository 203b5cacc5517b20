import { createHash } from 'node:crypto'
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { describe, expect, test } from 'vitest'
import { testS3 } from '#services/storage/open-test-storage.ts'
import { openTestS3 } from './open-test-s3.ts'
import { ahead, client, failure, keysBelow, put, read, setTestFiles, storage } from './test-files.ts'

setTestFiles()

const pathOf = (url: string): string => url.replace('http://storage.test/storage/v1', '')

describe('a signature', () => {
  test('of another secret, another key, another place or another time is refused', async () => {
    const list = () => new ListObjectsV2Command({ Bucket: 'files' })
    const listWith = (credentials: { accessKeyId: string; secretAccessKey: string }, region = 'local') => openTestS3(storage, { credentials, region }).send(list())
    await expect(listWith({ ...testS3, secretAccessKey: 'wrong' })).rejects.toEqual(failure(403, 'SignatureDoesNotMatch'))
    await expect(listWith({ ...testS3, accessKeyId: 'wrong' })).rejects.toEqual(failure(403, 'AccessDenied'))
    await expect(listWith(testS3, 'eu-central-1')).rejects.toEqual(failure(403, 'AccessDenied'))
    await listWith(testS3, 'us-east-1')
    for (const skewMs of [-16 * 60_000, 16 * 60_000]) {
      ahead.ms = skewMs
      await expect(client.send(list())).rejects.toEqual(failure(403, 'RequestTimeTooSkewed'))
    }
    ahead.ms = 0
    const unsigned = await storage.send('/s3/files')
    expect([unsigned.status, unsigned.headers.get('content-type'), await unsigned.text()]).toEqual([
      403, 'application/xml; charset=utf-8', '<?xml version="1.0" encoding="UTF-8"?><Error><Resource>files</Resource><Code>AccessDenied</Code><Message>Missing signature</Message></Error>',
    ])
    expect((await storage.send('/s3/files', { headers: { authorization: 'Bearer x' } })).status).toBe(403)
  })

  test('in a link is good for its path, its method, its headers and its time', async () => {
    await put('linked.txt', 'linked')
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'linked.txt' }), { expiresIn: 60 })
    const get = (path: string, init: RequestInit = {}) => storage.send(path, init)
    expect(await (await get(pathOf(url))).text()).toBe('linked')
    // A link may be opened with a header of somebody else's.
    expect(await (await get(pathOf(url), { headers: { authorization: 'Bearer x' } })).text()).toBe('linked')
    const changed: [string, string, RequestInit?][] = [
      ['another path', pathOf(url).replace('linked.txt', 'conditions.txt')],
      ['another bucket', pathOf(url).replace('/files/', '/small/')],
      ['a longer life', pathOf(url).replace('X-Amz-Expires=60', 'X-Amz-Expires=600')],
      ['a life without end', pathOf(url).replace('X-Amz-Expires=60&', '')],
      ['one more word', `${pathOf(url)}&response-content-type=text/html`],
      ['another method', pathOf(url), { method: 'DELETE' }],
      ['a header of the protocol', pathOf(url), { headers: { 'x-amz-acl': 'public-read' } }],
      ['another signature', pathOf(url).replace(/X-Amz-Signature=\w{64}/, `X-Amz-Signature=${'0'.repeat(64)}`)],
      ['no signature', pathOf(url).replace(/&X-Amz-Signature=\w{64}/, '')],
    ]
    for (const [what, path, init] of changed) expect([what, [400, 403].includes((await get(path, init)).status)]).toEqual([what, true])
    ahead.ms = 61_000
    const late = await get(pathOf(url))
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('ExpiredToken')])
    ahead.ms = 0
    await expect(read('linked.txt')).resolves.toBe('linked')
  })

  test('in a link to write is good for what it says, and for no copy of something else', async () => {
    await put('secret.txt', 'secret')
    const url = pathOf(await getSignedUrl(client, new PutObjectCommand({ Bucket: 'files', Key: 'written.txt', Metadata: { a: 'b' } })))
    expect((await storage.send(url, { method: 'PUT', body: 'x', headers: { 'x-amz-copy-source': 'files/secret.txt' } })).status).toBe(403)
    expect((await storage.send(`${url}&x-amz-copy-source=files/secret.txt`, { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await storage.send(url, { method: 'PUT', body: 'written' })).status).toBe(200)
    expect(await read('written.txt')).toBe('written')
    expect((await client.send(new HeadObjectCommand({ Bucket: 'files', Key: 'written.txt' }))).Metadata).toEqual({ a: 'b' })
  })

  test('covers the body: another one is not kept', async () => {
    let headers: Record<string, string> = {}
    const spy = openTestS3(storage, { requestChecksumCalculation: 'WHEN_REQUIRED' })
    spy.middlewareStack.add((next) => async (args) => {
      headers = { ...(args.request as { headers: Record<string, string> }).headers }
      return next(args)
    }, { step: 'finalizeRequest', priority: 'low' })
    await spy.send(new PutObjectCommand({ Bucket: 'files', Key: 'body.txt', Body: 'one' }))
    const again = (body: string) => storage.send('/s3/files/body.txt?x-id=PutObject', { method: 'PUT', headers, body })
    expect((await again('one')).status).toBe(200)
    expect((await again('two')).status).toBe(400)
    expect(await read('body.txt')).toBe('one')
    await expect(put('md5.txt', 'one', { ContentMD5: createHash('md5').update('two').digest('base64') })).rejects.toEqual(failure(400, 'InvalidChecksum'))
    await expect(read('md5.txt')).rejects.toEqual(failure(404))
  })
})

describe('a form', () => {
  const post = async (more: Parameters<typeof createPresignedPost>[1] extends infer Options ? Partial<Options> : never, change: (form: FormData) => void = () => {}) => {
    const { url, fields } = await createPresignedPost(client, { Bucket: 'files', Key: 'form/a.txt', Expires: 60, ...more })
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    change(form)
    if (!form.has('file')) form.set('file', new Blob(['posted']), 'a.txt')
    return storage.send(pathOf(url).replace(/\/$/, ''), { method: 'POST', body: form })
  }

  test('is stored as its policy says', async () => {
    const answer = await post({ Fields: { 'Content-Type': 'text/css', 'x-amz-meta-a': 'b', success_action_status: '201' }, Conditions: [['content-length-range', 1, 10]] })
    expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining('<Key>form/a.txt</Key>')])
    expect(await client.send(new HeadObjectCommand({ Bucket: 'files', Key: 'form/a.txt' }))).toMatchObject({ ContentType: 'text/css', Metadata: { a: 'b' }, ContentLength: 6 })
  })

  test('is refused with a field its policy does not name, another key, a changed policy, another size or too late', async () => {
    const statuses = [
      await post({}, (form) => form.set('x-amz-meta-role', 'admin')),
      await post({}, (form) => form.set('key', 'other.txt')),
      await post({}, (form) => form.set('KEY', 'other.txt')),
      await post({}, (form) => form.set('Policy', Buffer.from(Buffer.from(String(form.get('Policy')), 'base64').toString().replace('form/a.txt', 'form/b.txt')).toString('base64'))),
      await post({}, (form) => form.delete('X-Amz-Signature')),
      await post({ Key: 'form/big.txt', Conditions: [['content-length-range', 1, 3]] }),
      await post({ Key: 'form/small.txt', Conditions: [['content-length-range', 100, 200]] }),
      await post({ Key: '../form' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([403, 403, 400, 403, 400, 413, 400, 400])
    ahead.ms = 61_000
    expect((await post({ Key: 'form/late.txt' })).status).toBe(400)
    ahead.ms = 0
    expect(await keysBelow('form/')).toEqual(['form/a.txt'])
  })
})
