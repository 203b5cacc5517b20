/** Writes values as the reader's locale writes them. */
export interface Format {
  number: (value: number, options?: Intl.NumberFormatOptions) => string
  /** "20 Nov 2026" */
  date: (value: Date, options?: Intl.DateTimeFormatOptions) => string
  /** "20 Nov 2026, 14:05" in the reader's zone. */
  dateTime: (value: Date, options?: Intl.DateTimeFormatOptions) => string
  /** "3 minutes ago", "in 2 days"; `now` is for tests. */
  relative: (value: Date, now?: Date) => string
  list: (items: readonly string[]) => string
  /** "1.4 MB" */
  bytes: (sizeBytes: number) => string
}

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Makes the format of one locale; without a time zone, the reader's own. */
export function formatIn(locale: string, timeZone?: string): Format {
  const zone = timeZone === undefined ? {} : { timeZone }
  const numbers = new Intl.NumberFormat(locale)
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...zone })
  const dateTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...zone })
  const relatives = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const lists = new Intl.ListFormat(locale)
  return {
    number: (value, options) => (options ? new Intl.NumberFormat(locale, options) : numbers).format(value),
    date: (value, options) => (options ? new Intl.DateTimeFormat(locale, { ...zone, ...options }) : dates).format(value),
    dateTime: (value, options) => (options ? new Intl.DateTimeFormat(locale, { ...zone, ...options }) : dateTimes).format(value),
    relative: (value, now = new Date()) => {
      const seconds = (value.getTime() - now.getTime()) / 1000
      const step = steps.find(([, size]) => Math.abs(seconds) >= size)
      return step ? relatives.format(Math.round(seconds / step[1]), step[0]) : relatives.format(0, 'second')
    },
    list: (items) => lists.format(items),
    bytes: (sizeBytes) => bytes(locale, sizeBytes),
  }
}

function bytes(locale: string, sizeBytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
  const power = Math.min(units.length - 1, sizeBytes < 1 ? 0 : Math.floor(Math.log10(sizeBytes) / 3))
  const unit = units[power] ?? 'byte'
  const style = { style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale, style).format(sizeBytes / 1000 ** power)
}
