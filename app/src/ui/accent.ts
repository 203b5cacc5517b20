import { contrast, fromHex, inGamut, toCss, type Oklch } from './oklch.ts'

/** The colours of `tokens.css` that follow the accent. */
export type AccentToken = '--accent' | '--accent-hover' | '--accent-press' | '--on-accent' | '--accent-text' | '--accent-soft' | '--selected' | '--focus'

type Scheme = Record<AccentToken, Oklch>

const colour = (lightness: number, chroma: number, hue: number): Oklch => inGamut({ lightness, chroma, hue })

// The ground each scheme's inks have the least contrast on: the tint of what is selected.
const grounds = { light: 0.935, dark: 0.292 }

/** Moves the lightness away from a ground, step by step, until the two stand apart enough. */
function apartFrom(start: Oklch, ground: Oklch, { least, step }: { least: number; step: number }): Oklch {
  let found = start
  while (contrast(found, ground) < least && found.lightness > 0.05 && found.lightness < 0.98) {
    found = colour(found.lightness + step, start.chroma, start.hue)
  }
  return found
}

function schemeOf({ lightness, chroma, hue }: Oklch, isDark: boolean): Scheme {
  const step = isDark ? 0.005 : -0.005
  const selected = colour(isDark ? grounds.dark : grounds.light, Math.min(chroma, 0.012), hue)
  const soft = colour(isDark ? 0.288 : 0.95, Math.min(chroma, isDark ? 0.035 : 0.022), hue)
  const onAccent = isDark ? colour(0.195, Math.min(chroma, 0.03), hue) : colour(0.995, Math.min(chroma, 0.004), hue)
  const usual = colour(isDark ? Math.max(lightness, 0.62) : Math.min(lightness, 0.62), chroma, hue)
  // What is pressed goes a step further the other way in the dark, and its words must still be read.
  const pressed = apartFrom(colour(isDark ? usual.lightness - 0.04 : usual.lightness - 0.09, chroma, hue), onAccent, { least: 4.6, step })
  const accent = apartFrom(apartFrom(isDark ? colour(pressed.lightness + 0.04, chroma, hue) : usual, onAccent, { least: 4.6, step }), selected, { least: 3.1, step })
  return {
    '--accent': accent,
    '--accent-hover': colour(accent.lightness + (isDark ? 0.045 : -0.05), chroma, hue),
    '--accent-press': isDark ? pressed : colour(accent.lightness - 0.09, chroma, hue),
    '--on-accent': onAccent,
    '--accent-text': apartFrom(apartFrom(colour(accent.lightness, isDark ? chroma * 0.85 : chroma, hue), selected, { least: 4.6, step }), soft, { least: 4.6, step }),
    '--accent-soft': soft,
    '--selected': selected,
    '--focus': apartFrom(accent, selected, { least: 3.1, step }),
  }
}

/**
 * The palette of an operator's accent, shifted in lightness until every text and mark is told from its ground (WCAG AA).
 *
 * @param hex `#rrggbb` or `#rgb`.
 */
export function accentPalette(hex: string): { light: Scheme; dark: Scheme } {
  const given = fromHex(hex)
  return { light: schemeOf(given, false), dark: schemeOf(given, true) }
}

/** Dresses the page in an accent; undefined: in the app's own. */
export function wearAccent(hex: string | undefined, page: HTMLElement = document.documentElement): void {
  const { light, dark } = accentPalette(hex ?? '#000')
  for (const token of Object.keys(light) as AccentToken[]) {
    if (hex === undefined) page.style.removeProperty(token)
    else page.style.setProperty(token, `light-dark(${toCss(light[token])}, ${toCss(dark[token])})`)
  }
}
