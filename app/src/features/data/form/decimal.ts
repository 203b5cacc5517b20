/** Compares two decimal texts exactly, however many digits they have: negative, zero or positive as a sort wants it. */
export function compareDecimals(left: string, right: string): number {
  const [one, other] = [readDecimal(left), readDecimal(right)]
  if (!one || !other) return 0
  const scale = Math.max(one.scale, other.scale)
  const difference = widen(one, scale) - widen(other, scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Digits before and after the point, leading and trailing zeros not counted. */
export function digitsOf(text: string): { before: number; after: number } | undefined {
  const match = decimalPattern.exec(text)
  return match ? { before: (match[2] ?? '').replace(/^0+/, '').length, after: (match[3] ?? '').replace(/0+$/, '').length } : undefined
}

/** `-12.50`, `.5`, `3.`; no exponent, no separators. */
export const isDecimal = (text: string): boolean => decimalPattern.test(text) && /\d/.test(text)

const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?$/

interface Decimal {
  units: bigint
  scale: number
}

function readDecimal(text: string): Decimal | undefined {
  const match = isDecimal(text) ? decimalPattern.exec(text) : null
  if (!match) return undefined
  const after = match[3] ?? ''
  const units = BigInt(`${match[2] ?? ''}${after}` || '0')
  return { units: match[1] === '-' ? -units : units, scale: after.length }
}

const widen = ({ units, scale }: Decimal, to: number): bigint => units * 10n ** BigInt(to - scale)
