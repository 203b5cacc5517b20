/** A colour as lightness (0 to 1), chroma and hue (degrees). @see https://www.w3.org/TR/css-color-4/#ok-lab */
export interface Oklch {
  lightness: number
  chroma: number
  hue: number
}

type Triple = [number, number, number]

// Linear sRGB of a colour; channels outside 0 to 1 are outside of what a screen of that space shows.
function linear({ lightness, chroma, hue }: Oklch): Triple {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** WCAG relative luminance, out-of-gamut channels clipped as a browser's last resort does. */
export function luminance(colour: Oklch): number {
  const [red, green, blue] = linear(colour).map((value) => Math.min(1, Math.max(0, value))) as Triple
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG contrast, 1 to 21. */
export function contrast(one: Oklch, other: Oklch): number {
  const [first, second] = [luminance(one), luminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

/** The colour with as much of its chroma as a screen can show at its lightness. */
export function inGamut(colour: Oklch): Oklch {
  const isShown = (chroma: number) => linear({ ...colour, chroma }).every((value) => value >= -0.001 && value <= 1.001)
  if (isShown(colour.chroma)) return colour
  let [low, high] = [0, colour.chroma]
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2
    if (isShown(middle)) low = middle
    else high = middle
  }
  return { ...colour, chroma: low }
}

/** Reads `#rrggbb` or `#rgb`. */
export function fromHex(text: string): Oklch {
  const digits = text.length === 4 ? text.slice(1).replace(/./g, '$&$&') : text.slice(1)
  const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  const [red, green, blue] = [0, 2, 4].map((at) => toLinear(Number.parseInt(digits.slice(at, at + 2), 16) / 255)) as Triple
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  }
}

const rounded = (value: number) => Number(value.toFixed(4))

export const toCss = ({ lightness, chroma, hue }: Oklch): string => `oklch(${rounded(lightness)} ${rounded(chroma)} ${rounded(hue)})`
