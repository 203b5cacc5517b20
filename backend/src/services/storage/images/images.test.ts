import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'
import { openTestStorage, person, service, type TestCaller, type TestStorage } from '#services/storage/open-test-storage.ts'
import { createQueue } from './queue.ts'
import { decodeTransformation, describeTransformation, encodeTransformation } from './transformation.ts'

let database: Database
let storage: TestStorage
const files = () => storage.as(service).from('files')

// Left half red, right half blue.
const halves = async (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: { create: { width: width / 2, height, channels: 3, background: '#0000ff' } }, left: width / 2, top: 0 }])
    .png()
    .toBuffer()

beforeAll(async () => {
  database = await openTestDatabase()
  storage = await openTestStorage(database)
  await storage.as(service).createBucket('files', { public: false })
  await storage.as(service).createBucket('open', { public: true })
  const png = await halves(400, 200)
  for (const bucket of ['files', 'open']) await storage.as(service).from(bucket).upload('a.png', png, { contentType: 'image/png', cacheControl: '60' })
  await files().upload('turned.jpg', await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } }).jpeg().withMetadata({ orientation: 6 }).toBuffer(), { contentType: 'image/jpeg' })
  await files().upload('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script><rect width="10" height="10"/></svg>', { contentType: 'image/svg+xml' })
  await files().upload('no.png', 'this is no image', { contentType: 'image/png' })
  await files().upload('torn.png', png.subarray(0, 200), { contentType: 'image/png' })
})
afterAll(async () => {
  await storage?.close()
  await database?.close()
})

interface Asking {
  path?: string
  /** Undefined: nobody. */
  as?: TestCaller | undefined
  headers?: Record<string, string>
}
const render = async (query: string, asking: Asking = {}) => {
  const { path, as, headers } = { path: '/render/image/authenticated/files/a.png', as: service as TestCaller, headers: {}, ...asking }
  const response = await storage.send(`${path}?${query}`, { as, headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  const image = response.status === 200 && !response.headers.get('content-type')?.includes('svg') ? await sharp(bytes).metadata() : undefined
  return { status: response.status, headers: response.headers, bytes, size: image && [image.width, image.height], format: image?.format, text: bytes.toString('utf8') }
}
const colourAt = async (bytes: Buffer, x: number) => {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = x * info.channels
  return (data[at] ?? 0) > 128 ? 'red' : 'blue'
}

describe('an image', () => {
  test('is scaled and cut as asked, never enlarged', async () => {
    expect((await render('width=100&height=100')).size).toEqual([100, 100])
    expect((await render('width=100&height=100&resize=contain')).size).toEqual([100, 50])
    expect((await render('width=100&height=100&resize=fill')).size).toEqual([100, 100])
    expect((await render('width=100')).size).toEqual([100, 50])
    expect((await render('height=100')).size).toEqual([200, 100])
    expect((await render('width=2000&height=100')).size).toEqual([400, 100])
    expect((await render('quality=50')).size).toEqual([400, 200])
    expect((await render('width=20', { path: '/render/image/authenticated/files/turned.jpg' })).size).toEqual([20, 40])
  })

  test('keeps the part that the gravity says', async () => {
    const at = async (gravity: string) => colourAt((await render(`width=50&height=200&gravity=${gravity}`)).bytes, 25)
    expect([await at('we'), await at('ea'), await at('fp&x_offset=0.1&y_offset=0.5'), await at('fp&x_offset=0.9&y_offset=0.5'), await at('sowe'), await at('noea')]).toEqual(['red', 'blue', 'red', 'blue', 'red', 'blue'])
    expect((await render('width=50&height=50&gravity=sm')).size).toEqual([50, 50])
    expect((await render('width=50&height=50&gravity=fp&x_offset=2&y_offset=0')).status).toBe(400)
  })

  test('comes in the format asked for, or as WebP to whoever takes it', async () => {
    const accept = { accept: 'image/avif,image/webp,*/*' }
    expect((await render('width=10')).format).toBe('png')
    expect((await render('width=10', { headers: accept })).headers.get('content-type')).toBe('image/webp')
    expect((await render('width=10&format=origin', { headers: accept })).headers.get('content-type')).toBe('image/png')
    expect((await render('width=10&format=avif')).headers.get('content-type')).toBe('image/avif')
    const { headers } = await render('width=200&height=200&quality=60&resize=contain')
    expect(Object.fromEntries(headers)).toMatchObject({ 'x-transformations': 'height:200,width:200,resizing_type:fit,quality:60', 'cache-control': 'max-age=60', vary: 'accept, authorization, apikey', etag: expect.any(String), 'x-content-type-options': 'nosniff' })
  })

  test('may be of any kind that browsers show', async () => {
    const source = sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const) {
      await files().upload(`kind.${format}`, await source.clone().toFormat(format).toBuffer(), { contentType: `image/${format}`, upsert: true })
      const { size, headers } = await render('width=15', { path: `/render/image/authenticated/files/kind.${format}` })
      expect([format, size, headers.get('content-type')]).toEqual([format, [15, 10], `image/${format}`])
    }
  })

  test('is for whom its file is for', async () => {
    expect((await render('width=10', { path: '/render/image/public/open/a.png', as: undefined })).size).toEqual([10, 5])
    expect((await render('width=10', { path: '/render/image/public/files/a.png', as: undefined })).text).toContain('Bucket not found')
    expect((await render('width=10', { as: person('5b5f3a38-6c44-4d11-9c7c-1f3e3b7a1a01') })).text).toContain('Object not found')
    expect((await render('width=10', { as: undefined })).text).toContain('Invalid Compact JWS')
  })

  test('by a link comes as the link says, whatever is added to it', async () => {
    const { data } = await files().createSignedUrl('a.png', 60, { transform: { width: 100, height: 80, resize: 'contain', quality: 30 } })
    const path = (data?.signedUrl ?? '').replace(/^.*\/storage\/v1/, '')
    expect(path).toMatch(/^\/render\/image\/sign\/files\/a\.png\?token=/)
    const [place = '', query = ''] = path.split('?')
    expect((await render(`${query}&width=7`, { path: place, as: undefined })).size).toEqual([100, 50])
    const plain = (await files().createSignedUrl('a.png', 60)).data?.signedUrl ?? ''
    expect(plain).toContain('/object/sign/files/a.png')
  })

  test('that is none, or broken, is told to be', async () => {
    for (const name of ['no.png', 'torn.png']) {
      const { status, text } = await render('width=10', { path: `/render/image/authenticated/files/${name}` })
      expect([name, status, JSON.parse(text)]).toEqual([name, 400, { statusCode: '400', error: 'InvalidRequest', message: 'The source image is invalid or unsupported for rendering', code: 'InvalidRequest' }])
    }
    expect(JSON.parse((await render('width=x')).text)).toMatchObject({ message: 'querystring/width must be integer' })
    expect(JSON.parse((await render('width=10&resize=stretch')).text)).toMatchObject({ message: 'querystring/resize must be equal to one of the allowed values' })
    expect(JSON.parse((await render('quality=10')).text)).toMatchObject({ message: 'querystring/quality must be >= 20' })
  })

  test('that unfolds to gigabytes is refused before it does', async () => {
    const bomb = await sharp({ create: { width: 16000, height: 16000, channels: 3, background: 'black' }, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.byteLength).toBeLessThan(2_000_000)
    await files().upload('bomb.png', bomb, { contentType: 'image/png', upsert: true })
    const before = process.memoryUsage().rss
    const { status, text } = await render('width=10', { path: '/render/image/authenticated/files/bomb.png' })
    expect([status, JSON.parse(text).message]).toEqual([400, 'The source image resolution is too large to process'])
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  })

  test('drawn by lines is served as it is, in a sandbox, and never drawn here, whatever type it comes under', async () => {
    const path = '/render/image/authenticated/files/drawing.svg'
    const { headers, text } = await render('width=10', { path })
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(text).toContain('<svg')
    expect((await render('width=5&format=webp', { path })).headers.get('content-type')).toBe('image/svg+xml')
    await files().upload('large.svg', `<svg xmlns="http://www.w3.org/2000/svg"><!--${' '.repeat(26 * 1024 * 1024)}--></svg>`, { contentType: 'image/svg+xml' })
    expect((await render('width=5', { path: '/render/image/authenticated/files/large.svg' })).bytes.length).toBeGreaterThan(26 * 1024 * 1024)
    await files().upload('disguised.png', '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>', { contentType: 'image/png', upsert: true })
    expect((await render('width=5', { path: '/render/image/authenticated/files/disguised.png' })).status).toBe(400)
  })

  test('is not changed where the project switched that off', async () => {
    const off = await openTestStorage(database, { imageTransformation: false })
    const response = await off.send('/render/image/authenticated/files/a.png?width=1')
    expect([response.status, await response.json()]).toEqual([404, { statusCode: '404', error: 'Not Found', message: 'Route GET:/render/image/authenticated/files/a.png?width=1 not found', code: 'InvalidRequest' }])
    const { data } = await off.as(service).from('files').createSignedUrl('a.png', 60, { transform: { width: 10 } })
    expect(data?.signedUrl).toContain('/object/sign/')
    await off.close()
  })
})

test('a transformation survives the way into a link and back', () => {
  const asked = { width: 3000, height: 10, resize: 'contain', quality: 40, format: 'webp', gravity: 'fp', x_offset: 0.2, y_offset: 0.4 } as const
  expect(decodeTransformation(encodeTransformation(asked))).toEqual({ ...asked, width: 2000 })
  expect(describeTransformation(asked)).toEqual(['height:10', 'width:2000', 'resizing_type:fit', 'quality:40', 'format:webp', 'gravity:fp:0.2:0.4'])
  expect(encodeTransformation({})).toBe('')
  expect(decodeTransformation('width:10,resize:undefined,role:service_role')).toEqual({ width: 10 })
})

test('only so many tasks run at once, and only so many wait', async () => {
  const inTurn = createQueue({ running: 2, waiting: 2, refuse: () => new Error('full') })
  let busy = 0
  let most = 0
  const task = async () => {
    most = Math.max(most, ++busy)
    await new Promise((resolve) => setTimeout(resolve, 5))
    busy--
  }
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => inTurn(task)))
  expect([most, results.map(({ status }) => status)]).toEqual([2, ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected']])
  await inTurn(task)
})
