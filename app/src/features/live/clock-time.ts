/** `14:05:09.123`, in the reader's zone and manner, by 24 hours. */
export const clockTime = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' }).format(at)
