import type { Operator } from './filter.ts'

/** From the first moment of `from` up to, and not including, `until`: local midnights; undefined is open. */
export interface DayRange {
  from?: Date
  until?: Date
}

export interface Calendar {
  now: Date
  /** 0 is Sunday. */
  weekStartsOn: number
}

/** The days an operator speaks of, in the reader's own zone. Undefined when a day is missing or unreadable. */
export function dayRange(operator: Operator, values: readonly string[], calendar: Calendar): DayRange | undefined {
  const today = midnight(calendar.now)
  const weekday = (today.getDay() - calendar.weekStartsOn + 7) % 7
  switch (operator) {
    case 'today': return days(today, 0, 1)
    case 'yesterday': return days(today, -1, 0)
    case 'tomorrow': return days(today, 1, 2)
    case 'this-week': return days(today, -weekday, 7 - weekday)
    case 'last-7-days': return days(today, -6, 1)
    case 'next-7-days': return days(today, 0, 7)
    case 'this-month': return { from: new Date(today.getFullYear(), today.getMonth(), 1), until: new Date(today.getFullYear(), today.getMonth() + 1, 1) }
    default: return chosenDays(operator, values)
  }
}

function chosenDays(operator: Operator, [first = '', second = '']: readonly string[]): DayRange | undefined {
  const from = readDay(first)
  const last = readDay(second)
  switch (operator) {
    case 'on': return from && days(from, 0, 1)
    case 'before': return from && { until: from }
    case 'after': return from && { from: shift(from, 1) }
    case 'days-between': return from || last ? { ...(from && { from }), ...(last && { until: shift(last, 1) }) } : undefined
    default: return undefined
  }
}

/** `2026-11-20` in the reader's zone. */
export function isoDay(date: Date): string {
  const pad = (value: number, width: number) => String(value).padStart(width, '0')
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`
}

function readDay(text: string): Date | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return undefined
  const day = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]))
  return isoDay(day) === text ? day : undefined
}

const midnight = (date: Date): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate())
// By the calendar, not by 24 hours: a day may have 23 or 25.
const shift = (date: Date, by: number): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate() + by)
const days = (today: Date, from: number, until: number): DayRange => ({ from: shift(today, from), until: shift(today, until) })

/** The reader's first day of the week; Monday where the browser does not tell. */
export function weekStart(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => { firstDay: number }; weekInfo?: { firstDay: number } }
  return ((known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1) % 7
}
