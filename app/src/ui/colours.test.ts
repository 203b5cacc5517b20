import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

type Scheme = 'light' | 'dark'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\(oklch\(([^)]+)\), oklch\(([^)]+)\)\);/g)].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]),
)

/** WCAG relative luminance of an `L C H` triple, out-of-gamut channels clipped as a browser's last resort does. */
function luminance(triple: string): number {
  const [lightness = 0, chroma = 0, hue = 0] = triple.split(' ').map(Number)
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (value: number) => Math.min(1, Math.max(0, value))
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string, scheme: Scheme): number {
  const [first, second] = [one, other].map((name) => {
    const colour = colours.get(name)
    if (!colour) throw new Error(`no such colour: --${name}`)
    return luminance(colour[scheme])
  }) as [number, number]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

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
    expect(contrast(ink, ground, scheme)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(marks.flatMap(([mark, grounds]) => grounds.map((ground) => [mark, ground] as const)))('show %s against %s at 3 to 1 or more', (mark, ground) => {
    expect(contrast(mark, ground, scheme)).toBeGreaterThanOrEqual(3)
  })
})
