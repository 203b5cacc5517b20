export type Tint = 'tint1' | 'tint2' | 'tint3' | 'tint4' | 'tint5' | 'tint6' | 'tint7' | 'tint8'

/** One of eight tints, the same for the same text on every visit (FNV-1a). */
export function tintOf(value: string): Tint {
  let hash = 0x811c9dc5
  for (const unit of value) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193)
  return `tint${((hash >>> 8) % 8) + 1}` as Tint
}
