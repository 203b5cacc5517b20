import { describe, expect, it } from 'vitest'
import { findEntries, type PaletteEntry, type PaletteGroup } from './palette-entries.ts'

const entry = (label: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({ id: label, label, icon: 'table', run: () => {}, ...more })
const tables: PaletteGroup = { id: 'tables', heading: 'Tables', entries: ['Ticket messages', 'Articles', 'Tickets', 'Open tickets', 'Über uns'].map((label) => entry(label)) }
const labels = (text: string) => findEntries([tables], text).flatMap(({ entries }) => entries.map(({ label }) => label))

describe('the palette', () => {
  it('shows everything before anything is typed', () => {
    expect(labels('')).toHaveLength(5)
  })

  it('puts names that start with the word first', () => {
    expect(labels('tick')).toEqual(['Ticket messages', 'Tickets', 'Open tickets'])
  })

  it('needs every word, in any order', () => {
    expect(labels('mes ticket')).toEqual(['Ticket messages'])
  })

  it('looks past accents and case', () => {
    expect(labels('UBER')).toEqual(['Über uns'])
  })

  it('finds by words that are not shown', () => {
    expect(findEntries([{ ...tables, entries: [entry('Theme: Dark', { words: 'night' })] }], 'night')).toHaveLength(1)
  })

  it('drops groups with nothing in them', () => {
    expect(findEntries([tables], 'zebra')).toEqual([])
  })
})
