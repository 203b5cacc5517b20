/** When a job is due: every so many seconds, or at the minutes a cron line names, in UTC. */
export type Schedule = { everySeconds: number } | { atStart: true } | { minutes: Set<number>; hours: Set<number>; days: Set<number>; months: Set<number>; weekdays: Set<number>; anyDay: boolean; anyWeekday: boolean; lastDay: boolean }

const named: Record<string, string> = {
  '@yearly': '0 0 1 1 *', '@annually': '0 0 1 1 *', '@monthly': '0 0 1 * *', '@weekly': '0 0 * * 0', '@daily': '0 0 * * *', '@midnight': '0 0 * * *', '@hourly': '0 * * * *',
}
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

interface Field {
  min: number
  max: number
  names?: readonly string[]
}

function numberOf(text: string, { min, max, names }: Field): number {
  const place = names?.indexOf(text.slice(0, 3)) ?? -1
  const value = place >= 0 ? place + min : /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw new RangeError(`"${text}" is not between ${min} and ${max}`)
  return value
}

function readField(text: string, field: Field): Set<number> {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const [range = '', step = '1'] = part.split('/')
    const [from = '', to] = range.split('-')
    const start = from === '*' ? field.min : numberOf(from, field)
    const end = from === '*' || (to === undefined && part.includes('/')) ? field.max : to === undefined ? start : numberOf(to, field)
    const by = Number(step)
    if (!Number.isInteger(by) || by < 1 || end < start) throw new RangeError(`"${part}" is no part of a schedule`)
    for (let value = start; value <= end; value += by) values.add(value)
  }
  return values
}

/** Reads a cron line of five fields, `@daily` or `30 seconds`. @throws RangeError when it is none of them. */
export function readSchedule(text: string): Schedule {
  const line = text.trim().toLowerCase()
  const seconds = /^(\d+)\s+seconds?$/.exec(line)
  if (seconds) return { everySeconds: Number(seconds[1]) }
  if (line === '@reboot') return { atStart: true }
  const [minute, hour, day, month, weekday, ...rest] = (named[line] ?? line).split(/\s+/)
  if (minute === undefined || hour === undefined || day === undefined || month === undefined || weekday === undefined || rest.length > 0) throw new RangeError(`"${text}" is no schedule`)
  const weekdays = readField(weekday, { min: 0, max: 7, names: weekdayNames })
  if (weekdays.has(7)) weekdays.add(0)
  const lastDay = day === '$'
  return {
    minutes: readField(minute, { min: 0, max: 59 }),
    hours: readField(hour, { min: 0, max: 23 }),
    days: lastDay ? new Set() : readField(day, { min: 1, max: 31 }),
    months: readField(month, { min: 1, max: 12, names: monthNames }),
    weekdays,
    anyDay: day.startsWith('*'),
    anyWeekday: weekday.startsWith('*'),
    lastDay,
  }
}

const dayMs = 86_400_000

/** Whether a cron line names the minute a moment lies in. As in cron, a day and a weekday that are both given mean either. */
export function isDueAt(schedule: Exclude<Schedule, { everySeconds: number } | { atStart: true }>, at: Date): boolean {
  if (!schedule.minutes.has(at.getUTCMinutes()) || !schedule.hours.has(at.getUTCHours()) || !schedule.months.has(at.getUTCMonth() + 1)) return false
  const isLastDay = new Date(at.getTime() + dayMs).getUTCDate() === 1
  const dayFits = schedule.days.has(at.getUTCDate()) || (schedule.lastDay && isLastDay)
  const weekdayFits = schedule.weekdays.has(at.getUTCDay())
  return schedule.anyDay || schedule.anyWeekday ? dayFits && weekdayFits : dayFits || weekdayFits
}
