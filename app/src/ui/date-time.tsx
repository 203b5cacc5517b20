import { useEffect, useState } from 'react'
import { useUi } from './ui-provider.tsx'

export interface DateTimeProps {
  /** A moment; an ISO text or a Date. */
  value: string | Date
  /** `short` day and time (default), `date` the day alone, `relative` "3 minutes ago", `exact` to the second with the zone. */
  show?: 'short' | 'date' | 'relative' | 'exact' | undefined
}

/** A moment in the reader's zone and manner, with the exact value on hover. */
export function DateTime({ value, show = 'short' }: DateTimeProps) {
  const { language } = useUi()
  const moment = typeof value === 'string' ? new Date(value) : value
  useClock(show === 'relative')
  if (Number.isNaN(moment.getTime())) return <span>{String(value)}</span>
  return (
    <time dateTime={moment.toISOString()} title={exact(language.locale).format(moment)}>
      {written(moment, show, language.locale)}
    </time>
  )
}

function written(moment: Date, show: NonNullable<DateTimeProps['show']>, locale: string): string {
  switch (show) {
    case 'short':
      return short(locale).format(moment)
    case 'date':
      return dates(locale).format(moment)
    case 'exact':
      return exact(locale).format(moment)
    case 'relative':
      return relative(moment, locale)
  }
}

/** Intl objects are slow to make, and a grid asks for thousands: one each locale. */
function perLocale<Made>(make: (locale: string) => Made): (locale: string) => Made {
  const made = new Map<string, Made>()
  return (locale) => {
    const known = made.get(locale) ?? make(locale)
    made.set(locale, known)
    return known
  }
}

const short = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
const dates = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
const exact = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }))
const relatives = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Beyond a month a date says more than "7 weeks ago". */
function relative(moment: Date, locale: string): string {
  const seconds = (moment.getTime() - Date.now()) / 1000
  if (Math.abs(seconds) > 30 * 86_400) return dates(locale).format(moment)
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  return step ? relatives(locale).format(Math.round(seconds / step[1]), step[0]) : relatives(locale).format(0, 'second')
}

function useClock(running: boolean): void {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => tick((count) => count + 1), 30_000)
    return () => clearInterval(timer)
  }, [running])
}
