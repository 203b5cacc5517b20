const formats = new Map<string, Intl.DateTimeFormat>()

/** `14:05:09.123` in the reader's zone and manner, by 24 hours. */
export function clockTime(at: number, locale: string): string {
  const known = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' })
  formats.set(locale, known)
  return known.format(at)
}
