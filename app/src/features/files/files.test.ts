import { describe, expect, test } from 'vitest'
import { crc32, makeZip } from './actions/zip.ts'
import { runBatch } from './actions/batch.ts'
import { filesPath, readFilesAddress } from './address.ts'
import { readKey } from './list/grid-keys.ts'
import type { FileSelection } from './list/use-selection.ts'
import { fileEntry, folderEntry, type Entry } from './names/entry.ts'
import { guessDelimiter, readCsv } from './preview/csv.ts'
import { createKeptUploads, type KeptUpload } from './uploads/kept-uploads.ts'
import { createSpeed } from './uploads/speed.ts'
import { isSameFile } from './uploads/upload-list.ts'
import { wishesOf, type UploadPlan } from './uploads/upload-plan.ts'

describe('the address', () => {
  test('holds folder, sort, search, file and selection, and reads back as it was', () => {
    const address = { folder: 'a b/ü&c', search: '50%', sort: { column: 'updated_at' as const, isDescending: true }, file: 'x?.txt', selected: ['one', 'two & three'] }
    const path = filesPath('my bucket', address)
    expect(path).toContain('in=a+b/')
    const [, query = ''] = path.split('?')
    expect(readFilesAddress('my bucket', `?${path.slice(path.indexOf('?') + 1)}`)).toEqual({ bucket: 'my bucket', ...address })
    expect(query).not.toBe('')
  })

  test('nonsense in it is left out', () => {
    expect(readFilesAddress('b', '?in=//a//&sort=size.up')).toEqual({ bucket: 'b', folder: 'a', search: '', sort: { column: 'name', isDescending: false }, file: undefined, selected: [] })
  })
})

describe('comma-separated values', () => {
  test('quotes, commas and line breaks inside them are part of a cell', () => {
    expect(readCsv('a,b\r\n"x, ""y""","line\nbreak"\r\n')).toEqual([['a', 'b'], ['x, "y"', 'line\nbreak']])
    expect(readCsv('\uFEFFa;b\n1,5;2\n')).toEqual([['a', 'b'], ['1,5', '2']])
    expect(guessDelimiter('a\tb\tc')).toBe('\t')
    expect(readCsv('a\nb\nc', { limit: 2 })).toEqual([['a'], ['b']])
  })
})

describe('the archive', () => {
  test('says of every file where it begins, how long it is and what it adds up to', async () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
    const source = (name: string, text: string) => ({ name, modifiedAt: new Date(2026, 10, 20, 12, 30, 10), open: () => Promise.resolve(new Blob([text]).stream()) })
    const bytes = new DataView(await (await makeZip([source('a.txt', 'alpha'), source('deep/ü.txt', 'beta')])).arrayBuffer())
    const end = bytes.byteLength - 22
    expect(bytes.getUint32(end, true)).toBe(0x06054b50)
    expect(bytes.getUint16(end + 10, true)).toBe(2)
    const directory = bytes.getUint32(end + 16, true)
    expect(bytes.getUint32(directory, true)).toBe(0x02014b50)
    expect(bytes.getUint32(directory + 16, true)).toBe(crc32(new TextEncoder().encode('alpha')))
    const second = directory + 46 + 'a.txt'.length
    expect(bytes.getUint32(bytes.getUint32(second + 42, true), true)).toBe(0x04034b50)
    expect(bytes.getUint32(second + 24, true)).toBe(4)
  })

  test('holds no name that leads out of the folder it is unpacked in', async () => {
    const names = ['../../evil.sh', '/etc/passwd', 'a/./b//..', '..\\evil.bat']
    const archive = await makeZip(names.map((name) => ({ name, modifiedAt: new Date(), open: () => Promise.resolve(new Blob(['\n']).stream()) })))
    expect((await archive.text()).match(/[\w.]+(?:\/[\w.]+)+/g)).toEqual(expect.arrayContaining(['_/_/evil.sh', '_/etc/passwd', 'a/_/b/_/_', '_/evil.bat']))
  })
})

describe('many at once', () => {
  test('one that fails stops none of the others, and is named', async () => {
    const seen: number[] = []
    const result = await runBatch({
      items: [1, 2, 3, 4, 5, 6],
      pathOf: String,
      work: (item) => (item === 3 ? Promise.reject(new Error('no')) : Promise.resolve()),
      signal: new AbortController().signal,
      onProgress: ({ done }) => seen.push(done),
    })
    expect(result).toMatchObject({ done: 5, isWhole: true })
    expect(result.failures.map(({ path }) => path)).toEqual(['3'])
    expect(seen.at(-1)).toBe(5)
  })

  test('stopped, it finishes what has begun and says that there was more', async () => {
    const control = new AbortController()
    const result = await runBatch({ items: Array.from({ length: 100 }, (_, index) => index), pathOf: String, work: (item) => Promise.resolve(void (item === 8 && control.abort())), signal: control.signal, onProgress: () => {} })
    expect(result.isWhole).toBe(false)
    expect(result.done).toBeLessThan(20)
  })
})

describe('plans of uploads', () => {
  const plan = (paths: readonly string[], taken: readonly string[]): UploadPlan => ({
    bucket: { id: 'b', isPublic: false, sizeLimitBytes: null, allowedTypes: null, isListed: true },
    fitting: paths.map((path) => ({ file: new File(['x'], path), path, type: 'text/plain', clashes: taken.includes(path) })),
    unfit: [],
    taken: new Set(taken),
  })

  test('one answer goes for every place that is taken', () => {
    const asked = plan(['a.txt', 'b.txt'], ['a.txt', 'a (2).txt'])
    expect(wishesOf(asked, 'skip').map(({ path }) => path)).toEqual(['b.txt'])
    expect(wishesOf(asked, 'keep-both').map(({ path, isReplacing }) => [path, isReplacing])).toEqual([['a (3).txt', false], ['b.txt', false]])
    expect(wishesOf(asked, 'replace').map(({ path, isReplacing }) => [path, isReplacing])).toEqual([['a.txt', true], ['b.txt', false]])
  })

  test('two chosen files that come to the same plain name replace nothing, least of all each other', () => {
    expect(wishesOf(plan(['Ubung.txt', 'Ubung.txt'], []), 'replace').map(({ path, isReplacing }) => [path, isReplacing])).toEqual([['Ubung.txt', false], ['Ubung (2).txt', false]])
  })
})

describe('kept uploads', () => {
  const upload: KeptUpload = { id: '1', bucket: 'b', path: 'a.txt', givenName: 'ä.txt', sizeBytes: 10, lastModified: 5, type: 'text/plain', isReplacing: false, url: 'http://127.0.0.1/u', sentBytes: 4, startedAt: Date.now() }
  const storage = () => {
    const values = new Map<string, string>()
    return { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value), removeItem: (key: string) => void values.delete(key) } as unknown as Storage
  }

  test('belong to one person, are forgotten after a day, and survive what others wrote', () => {
    const shared = storage()
    const mine = createKeptUploads(['p', 'me'], shared)
    mine.keep(upload)
    mine.keep({ ...upload, id: '2', startedAt: Date.now() - 25 * 3_600_000 })
    expect(mine.list().map(({ id }) => id)).toEqual(['1'])
    expect(createKeptUploads(['p', 'you'], shared).list()).toEqual([])
    shared.setItem('portico.uploads.p.me', '{"not":"a list"}')
    expect(mine.list()).toEqual([])
  })

  test('go on with the same file only', () => {
    const file = (name: string, size: number, lastModified: number) => new File(['x'.repeat(size)], name, { lastModified })
    expect(isSameFile(file('ä.txt', 10, 5), upload)).toBe(true)
    expect(isSameFile(file('ä.txt', 10, 6), upload)).toBe(false)
    expect(isSameFile(file('ä.txt', 11, 5), upload)).toBe(false)
    expect(isSameFile(file('b.txt', 10, 5), upload)).toBe(false)
  })

  test('are measured over the last seconds', () => {
    let now = 0
    const speed = createSpeed(() => now)
    speed.add(0)
    expect(speed.read()).toBe(0)
    now = 1000
    speed.add(2000)
    expect(speed.read()).toBe(2000)
    now = 10_000
    speed.add(2000)
    expect(speed.read()).toBe(0)
  })
})

describe('keys', () => {
  const entries: Entry[] = [folderEntry('docs'), fileEntry('apple.txt', {}), fileEntry('avocado.txt', {}), fileEntry('berry.txt', {})]
  const press = (key: string, at: number, held: Partial<Record<'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey', boolean>> = {}) => {
    const done: string[] = []
    const say = (word: string) => (value?: unknown) => void done.push(value === undefined ? word : `${word} ${typeof value === 'object' ? (value as Entry).name : String(value)}`)
    const selection = { entries: [], chosen: new Set<string>(), focused: at, choose: say('choose'), toggle: say('toggle'), extend: say('extend'), focus: say('focus'), chooseAll: say('all'), clear: say('clear') } as unknown as FileSelection
    const deeds = { open: say('open'), preview: say('preview'), rename: say('rename'), remove: say('remove'), up: say('up') }
    const moved = readKey({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...held }, { entries, selection, deeds, pageRows: 2, at })
    return { moved, done }
  }

  test('move, extend, open, show, rename and delete the row they are pressed on', () => {
    expect(press('ArrowDown', 0)).toEqual({ moved: 1, done: ['choose 1'] })
    expect(press('ArrowDown', 3)).toEqual({ moved: 3, done: ['choose 3'] })
    expect(press('ArrowDown', 1, { shiftKey: true })).toEqual({ moved: 2, done: ['extend 2'] })
    expect(press('ArrowDown', 1, { ctrlKey: true })).toEqual({ moved: 2, done: ['focus 2'] })
    expect(press('PageDown', 0).moved).toBe(2)
    expect(press('End', 0).moved).toBe(3)
    expect(press('Enter', 0).done).toEqual(['open docs'])
    expect(press(' ', 1).done).toEqual(['preview apple.txt'])
    expect(press(' ', 1, { ctrlKey: true }).done).toEqual(['toggle 1'])
    expect(press('F2', 2).done).toEqual(['rename avocado.txt'])
    expect(press('Delete', 2).done).toEqual(['choose 2', 'remove avocado.txt'])
    expect(press('Backspace', 2).done).toEqual(['up'])
    expect(press('ArrowUp', 2, { altKey: true }).done).toEqual(['up'])
  })

  test('letters lead to the next name that begins with them; `?` is left to the page', () => {
    expect(press('b', 0).done).toEqual(['choose 3'])
    expect(press('?', 0)).toEqual({ moved: undefined, done: [] })
  })
})
