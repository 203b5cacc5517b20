import { randomBytes } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, test } from 'vitest'
import { adminClient, client, person, target } from './target.ts'

interface Person {
  client: SupabaseClient
  id: string
}
let anna: Person
let bert: Person
beforeAll(async () => {
  anna = await person()
  bert = await person()
})

const notes = (of: Pick<Person, 'client'>) => of.client.storage.from('notes')
const textOf = async (asked: Promise<{ data: Blob | null; error: unknown }>) => {
  const { data, error } = await asked
  expect(error).toBeNull()
  return data?.text()
}

describe('files of people', () => {
  test('come back as they were sent', async () => {
    const sent = await notes(anna).upload(`${anna.id}/a.txt`, new Blob(['hello'], { type: 'text/plain' }), { cacheControl: '60', metadata: { tone: 'kind' } })
    expect(sent).toMatchObject({ error: null, data: { path: `${anna.id}/a.txt`, fullPath: `notes/${anna.id}/a.txt` } })
    expect(await textOf(notes(anna).download(`${anna.id}/a.txt`))).toBe('hello')
    expect((await notes(anna).info(`${anna.id}/a.txt`)).data).toMatchObject({ size: 5, contentType: 'text/plain', cacheControl: 'max-age=60', metadata: { tone: 'kind' } })
    expect((await notes(anna).upload(`${anna.id}/a.txt`, 'again')).error).toMatchObject({ statusCode: '409' })
    expect((await notes(anna).update(`${anna.id}/a.txt`, 'again')).data?.id).toBe(sent.data?.id)
    expect(await textOf(notes(anna).download(`${anna.id}/a.txt`))).toBe('again')
  })

  test('are nobody else\'s', async () => {
    await notes(anna).upload(`${anna.id}/own.txt`, 'own')
    expect((await notes(bert).download(`${anna.id}/own.txt`)).error).toBeTruthy()
    expect((await notes(bert).exists(`${anna.id}/own.txt`)).data).toBe(false)
    expect((await notes(bert).list(anna.id)).data).toEqual([])
    expect((await notes(bert).upload(`${anna.id}/other.txt`, 'x')).error).toMatchObject({ statusCode: '403', message: 'new row violates row-level security policy' })
    expect((await notes(bert).createSignedUrl(`${anna.id}/own.txt`, 60)).error).toMatchObject({ statusCode: '404' })
    expect((await notes(bert).move(`${anna.id}/own.txt`, `${bert.id}/own.txt`)).error).toBeTruthy()
    expect((await notes(bert).copy(`${anna.id}/own.txt`, `${bert.id}/own.txt`)).error).toBeTruthy()
    expect((await notes(bert).remove([`${anna.id}/own.txt`])).data).toEqual([])
    expect((await client().storage.from('notes').download(`${anna.id}/own.txt`)).error).toBeTruthy()
    expect(await textOf(notes(anna).download(`${anna.id}/own.txt`))).toBe('own')
  })

  test('are moved, copied, listed and deleted', async () => {
    await notes(bert).upload(`${bert.id}/in/one.txt`, 'one')
    expect((await notes(bert).move(`${bert.id}/in/one.txt`, `${bert.id}/two.txt`)).error).toBeNull()
    expect((await notes(bert).copy(`${bert.id}/two.txt`, `${bert.id}/in/three.txt`)).error).toBeNull()
    expect((await notes(bert).list(bert.id)).data?.map(({ name, id }) => [name, id === null])).toEqual([['in', true], ['two.txt', false]])
    const page = await notes(bert).listV2({ prefix: `${bert.id}/`, with_delimiter: true })
    expect([page.data?.folders.map(({ name }) => name), page.data?.objects.map(({ name }) => name)]).toEqual([[`${bert.id}/in/`], [`${bert.id}/two.txt`]])
    expect((await notes(bert).remove([`${bert.id}/in/three.txt`, `${bert.id}/two.txt`])).data).toHaveLength(2)
    expect((await notes(bert).list(bert.id)).data).toEqual([])
  })

  test('are held to the limits of their bucket', async () => {
    expect((await notes(anna).upload(`${anna.id}/large.bin`, randomBytes(1_000_001))).error).toMatchObject({ statusCode: '413' })
    expect((await adminClient().storage.from('covers').upload('a.txt', 'x', { contentType: 'text/plain' })).error).toMatchObject({ statusCode: '415' })
    expect((await anna.client.storage.getBucket('notes')).data).toMatchObject({ id: 'notes', public: false, file_size_limit: 1_000_000 })
    expect((await anna.client.storage.getBucket('covers')).error).toMatchObject({ statusCode: '404', message: 'Bucket not found' })
    expect((await anna.client.storage.createBucket('mine')).error).toMatchObject({ statusCode: '403' })
  })
})

describe('links', () => {
  test('carry their own right to one file', async () => {
    await notes(anna).upload(`${anna.id}/linked.txt`, 'linked')
    const { data } = await notes(anna).createSignedUrl(`${anna.id}/linked.txt`, 60, { download: 'mine.txt' })
    const answer = await fetch(data?.signedUrl ?? '')
    expect([answer.status, await answer.text(), answer.headers.get('content-disposition')]).toEqual([200, 'linked', "attachment; filename=mine.txt; filename*=UTF-8''mine.txt"])
    expect((await fetch((data?.signedUrl ?? '').replace('linked.txt', 'own.txt'))).status).toBe(400)
  })

  test('take one upload', async () => {
    const { data } = await notes(anna).createSignedUploadUrl(`${anna.id}/given.txt`)
    const send = () => client().storage.from('notes').uploadToSignedUrl(`${anna.id}/given.txt`, data?.token ?? '', new Blob(['given']))
    expect((await send()).error).toBeNull()
    expect((await send()).error).toMatchObject({ statusCode: '409' })
    expect(await textOf(notes(anna).download(`${anna.id}/given.txt`))).toBe('given')
  })
})

describe('a public file', () => {
  // One pixel, which is all an image needs to be one.
  const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const url = (path: string, options = {}) => client().storage.from('covers').getPublicUrl(path, options).data.publicUrl
  beforeAll(async () => {
    const { error } = await adminClient().storage.from('covers').upload('dot.png', pixel, { contentType: 'image/png', upsert: true })
    expect(error).toBeNull()
  })

  test('is there for everybody, whole, in part, and only if it changed', async () => {
    const whole = await fetch(url('dot.png'))
    expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(pixel), whole.headers.get('content-type')]).toEqual([200, true, 'image/png'])
    const part = await fetch(url('dot.png'), { headers: { range: 'bytes=1-3' } })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, 'PNG', `bytes 1-3/${pixel.length}`])
    expect((await fetch(url('dot.png'), { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } })).status).toBe(304)
    const head = await fetch(url('dot.png'), { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(pixel.length)])
    expect((await fetch(url('none.png'))).status).toBe(400)
    expect((await fetch(url('dot.png').replace('/covers/', '/notes/'))).status).toBe(400)
  })

  test('is changed on the way out', async () => {
    const answer = await fetch(url('dot.png', { transform: { width: 1, height: 1, format: 'webp' } }))
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-transformations')]).toEqual([200, 'image/webp', 'height:1,width:1,resizing_type:fill,format:webp'])
    await answer.arrayBuffer()
  })

  test('may be read by pages of any origin', async () => {
    const answer = await fetch(url('dot.png'), { headers: { origin: 'https://example.com' } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await fetch(`${target().API_URL}/storage/v1/object/notes/a`, { method: 'OPTIONS', headers: { origin: 'https://example.com', 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-upsert,authorization' } })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([200, 'x-upsert,authorization'])
  })
})
