import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accentPalette } from './accent.ts'
import { contrast, fromHex, toCss, type Oklch } from './oklch.ts'

type Scheme = 'light' | 'dark'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\(oklch\(([^)]+)\), oklch\(([^)]+)\)\);/g)].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]),
)

const parse = (triple: string): Oklch => {
  const [lightness = 0, chroma = 0, hue = 0] = triple.split(' ').map(Number)
  return { lightness, chroma, hue }
}

/** The colour of a token, an operator's accent before the app's own. */
function colourOf(name: string, scheme: Scheme, worn?: Readonly<Record<string, Oklch>>): Oklch {
  const colour = colours.get(name)
  if (!colour) throw new Error(`no such colour: --${name}`)
  return worn?.[`--${name}`] ?? parse(colour[scheme])
}

const told = (ink: string, ground: string, look: { scheme: Scheme; worn?: Readonly<Record<string, Oklch>> }): number =>
  contrast(colourOf(ink, look.scheme, look.worn), colourOf(ground, look.scheme, look.worn))

const everywhere = ['canvas', 'surface', 'raised', 'hover', 'selected']
const text: [text: string, grounds: string[]][] = [
  ['text', [...everywhere, 'accent-soft', 'danger-soft', 'warning-soft', 'success-soft', 'info-soft', 'tint-neutral']],
  ['text-muted', [...everywhere, 'accent-soft', 'tint-neutral', 'danger-soft', 'warning-soft', 'success-soft', 'info-soft']],
  ['text-faint', everywhere],
  ['accent-text', [...everywhere, 'accent-soft']],
  ['on-accent', ['accent', 'accent-hover', 'accent-press']],
  ['on-danger', ['danger', 'danger-hover']],
  ...['danger', 'warning', 'success', 'info'].map((name): [string, string[]] => [`${name}-text`, [...everywhere, `${name}-soft`]]),
  ...Array.from({ length: 8 }, (_, index): [string, string[]] => [`tint-${index + 1}-text`, [`tint-${index + 1}`]]),
]
const marks: [mark: string, grounds: string[]][] = [
  ['line-control', ['canvas', 'surface', 'raised']],
  ['focus', everywhere],
  ['accent', everywhere],
  ['danger', everywhere],
]

describe.each(['light', 'dark'] as const)('the colours in %s', (scheme) => {
  it.each(text.flatMap(([ink, grounds]) => grounds.map((ground) => [ink, ground] as const)))('set %s on %s at 4.5 to 1 or more', (ink, ground) => {
    expect(told(ink, ground, { scheme })).toBeGreaterThanOrEqual(4.5)
  })

  it.each(marks.flatMap(([mark, grounds]) => grounds.map((ground) => [mark, ground] as const)))('show %s against %s at 3 to 1 or more', (mark, ground) => {
    expect(told(mark, ground, { scheme })).toBeGreaterThanOrEqual(3)
  })
})

describe('an accent of the operator', () => {
  const given = ['#000000', '#ffffff', '#808080', '#ff0000', '#ffff00', '#00ff00', '#00ffff', '#0000ff', '#ff00ff', '#7c3aed', '#0f766e', '#f59e0b', '#fde047', '#172554', '#fca5a5']

  it.each(given)('is read everywhere in both schemes: %s', (hex) => {
    for (const scheme of ['light', 'dark'] as const) {
      const worn = accentPalette(hex)[scheme]
      const faint = [
        ...text.flatMap(([ink, grounds]) => grounds.map((ground) => ({ ink, ground, least: 4.5 }))),
        ...marks.flatMap(([ink, grounds]) => grounds.map((ground) => ({ ink, ground, least: 3 }))),
      ].filter(({ ink, ground, least }) => told(ink, ground, { scheme, worn }) < least)
      expect(faint, scheme).toEqual([])
    }
  })

  it('keeps its hue, and its lightness where that is read already', () => {
    const { light } = accentPalette('#0f766e')
    expect(Math.abs(light['--accent'].hue - fromHex('#0f766e').hue)).toBeLessThan(0.01)
    expect(light['--accent'].lightness).toBeCloseTo(fromHex('#0f766e').lightness, 2)
    expect(toCss(fromHex('#fff'))).toMatch(/^oklch\(1 0 /)
  })
})
