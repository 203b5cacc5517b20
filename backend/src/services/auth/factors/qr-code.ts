import { encodeQR } from 'qr'

/** Light modules around the code: readers need them. */
const border = 4
/** Pixels of a module. */
const scale = 5

/** Most bytes a code of this strength can hold. */
const longestText = 2000

/**
 * A QR code as a picture. The official client puts it into a `data:` address as it is: no `#` and no `%` may stand in it.
 *
 * @returns undefined for a text that is too long for a code.
 */
export function qrCodeSvg(text: string): string | undefined {
  if (Buffer.byteLength(text) > longestText) return undefined
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border })
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  const modules = rows.length
  const size = modules * scale
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${modules} ${modules}" shape-rendering="crispEdges">` +
    `<rect width="${modules}" height="${modules}" fill="white"/><path d="${dark}" fill="black"/></svg>`
  )
}
