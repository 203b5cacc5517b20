/** `+442079460000`, as numbers are sent. */
export type PhoneFault = 'missing' | 'malformed'

/** What is typed, without what people put between the digits; a leading 00 is a plus. */
export const compactNumber = (typed: string): string => typed.replace(/[\s().\-/\u00a0\u2010-\u2015]/g, '').replace(/^00/, '+')

/** Numbers with their country code have up to 15 digits (E.164). */
export function findNumberFault(typed: string): PhoneFault | undefined {
  const number = compactNumber(typed)
  if (number === '') return 'missing'
  return /^\+[1-9]\d{6,14}$/.test(number) ? undefined : 'malformed'
}

/** The server keeps numbers without their plus. */
export const shownNumber = (phone: string): string => (phone === '' ? '' : `+${phone.replace(/^\+/, '')}`)
