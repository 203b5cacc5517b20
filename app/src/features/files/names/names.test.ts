import { describe, expect, test } from 'vitest'
import { isTypeAllowed, kindOf, typeOf } from './file-kind.ts'
import { foldersDownTo, freeName, isWithin, nameFault, plainName, wirePath } from './object-name.ts'

describe('names', () => {
  test('letters that storage does not take are written as the nearest it takes', () => {
    expect(plainName('Übersicht – März.pdf')).toBe('Ubersicht - Marz.pdf')
    expect(plainName('Straße “neu”.txt')).toBe("Strasse 'neu'.txt")
    expect(plainName('日本語.txt')).toBe('___.txt')
    expect(plainName('ﬁle №1.txt')).toBe('file No1.txt')
    for (const name of ['Übersicht', '日本語', 'a/b', '..', '.', '', 'x'.repeat(400)]) expect(nameFault(plainName(name))).toBeUndefined()
  })

  test('a name that would leave its folder is no name', () => {
    expect(nameFault('..')).toBe('dots')
    expect(nameFault('.')).toBe('dots')
    expect(nameFault('a/b')).toBe('slash')
    expect(nameFault(' ')).toBe('empty')
    expect(nameFault('a\u0000b')).toBe('letters')
    expect(nameFault('a\\b')).toBe('letters')
    expect(nameFault("it's (2) & more! @=;:+,?-$.txt")).toBeUndefined()
  })

  test('a taken name gets the next free number, before its ending', () => {
    const taken = new Set(['june.pdf', 'june (2).pdf', '.env'])
    expect(freeName('june.pdf', (name) => taken.has(name))).toBe('june (3).pdf')
    expect(freeName('june (2).pdf', (name) => taken.has(name))).toBe('june (3).pdf')
    expect(freeName('.env', (name) => taken.has(name))).toBe('.env (2)')
    expect(freeName('july.pdf', (name) => taken.has(name))).toBe('july.pdf')
  })

  test('a folder lies in itself, and in no folder whose name merely begins alike', () => {
    expect(isWithin('a/b', 'a/b')).toBe(true)
    expect(isWithin('a/b', 'a/b/c')).toBe(true)
    expect(isWithin('a/b', 'a/bc')).toBe(false)
    expect(foldersDownTo('a/b/c')).toEqual(['a', 'a/b', 'a/b/c'])
    expect(wirePath('what? now?.txt')).toBe('what%3F now%3F.txt')
  })
})

describe('kinds', () => {
  test('the stored type says what a file is, its ending where that type says nothing', () => {
    expect(kindOf({ name: 'a.pdf', type: 'application/pdf' })).toBe('pdf')
    expect(kindOf({ name: 'a.csv', type: 'application/octet-stream' })).toBe('table')
    expect(kindOf({ name: 'page.html', type: 'text/plain' })).toBe('code')
    expect(kindOf({ name: 'page.pdf', type: 'text/html' })).toBe('code')
    expect(kindOf({ name: 'a.docx', type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' })).toBe('other')
    expect(kindOf({ name: 'unknown', type: '' })).toBe('other')
    expect(kindOf({ name: 'LICENSE', type: 'text/plain' })).toBe('text')
  })

  test('a bucket takes the types it lists, whole families included', () => {
    expect(isTypeAllowed('image/png', ['image/*'])).toBe(true)
    expect(isTypeAllowed('text/plain; charset=utf-8', ['text/plain'])).toBe(true)
    expect(isTypeAllowed('image', ['image/*'])).toBe(false)
    expect(isTypeAllowed('application/zip', null)).toBe(true)
    expect(isTypeAllowed('application/zip', [])).toBe(true)
    expect(typeOf({ name: 'notes.md', type: '' })).toBe('text/markdown')
    expect(typeOf({ name: 'thing', type: '' })).toBe('application/octet-stream')
  })
})
