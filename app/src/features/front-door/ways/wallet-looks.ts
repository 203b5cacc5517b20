/** A wallet's own name: short, in one line, without what turns the line around. */
export function readName(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim() : ''
  return name !== '' && name.length <= 40 ? name : undefined
}

/** An image that comes with the wallet and asks nobody for anything: drawn as an image, where not even a drawing's scripts run. */
export const readIcon = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 100_000 && /^data:image\/(?:png|webp|gif|jpeg|svg\+xml)[;,]/.test(value.trim()) ? value.trim() : undefined
