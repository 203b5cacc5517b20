import { useMemo, type ReactNode } from 'react'
import { getLocalTimeZone, parseAbsolute, parseDate, parseDateTime, parseTime, Time, type DateValue } from '@internationalized/date'
import { Button } from 'react-aria-components/Button'
import { Calendar, CalendarCell, CalendarGrid, CalendarGridBody, CalendarGridHeader, CalendarHeaderCell } from 'react-aria-components/Calendar'
import { DateInput, DateSegment } from 'react-aria-components/DateField'
import { TimeField as AriaTimeField } from 'react-aria-components/TimeField'
import { DatePicker } from 'react-aria-components/DatePicker'
import { Group } from 'react-aria-components/Group'
import { Heading } from 'react-aria-components/Heading'
import { Label } from 'react-aria-components/Label'
import { Popover } from 'react-aria-components/Popover'
import { AriaNote } from './aria-note.tsx'
import { AriaProvider } from './aria-provider.tsx'
import { classNames } from './class-names.ts'
import control from './control.module.css'
import css from './date-field.module.css'
import field from './field.module.css'
import type { FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'
import popover from './popover.module.css'
import { TextField } from './text-field.tsx'
import { useUi } from './ui-provider.tsx'

export interface DateFieldProps extends Omit<FieldProps, 'aside' | 'label'> {
  label: string
  /** ISO 8601, or null for none. A value it cannot read (`infinity`, a year before Christ) is edited as text. */
  value: string | null
  onChange: (value: string | null) => void
  required?: boolean | undefined
  disabled?: boolean | undefined
  readOnly?: boolean | undefined
  autoFocus?: boolean | undefined
  onBlur?: (() => void) | undefined
}

/** A day: `2026-11-20`. */
export function DateField(props: DateFieldProps) {
  return <Picker {...props} granularity="day" read={parseDate} write={(date) => date.toString().slice(0, 10)} />
}

/** A moment. Zoned (default): an instant in UTC, shown in the reader's zone, `2026-11-20T13:05:00.000Z`; else as on a wall clock, `2026-11-20T14:05:00`. */
export function DateTimeField({ zoned = true, ...props }: DateFieldProps & { zoned?: boolean | undefined }) {
  if (!zoned) return <Picker {...props} granularity="second" read={(text) => parseDateTime(text.replace(' ', 'T'))} write={(date) => date.toString()} />
  const zone = getLocalTimeZone()
  return <Picker {...props} granularity="second" read={(text) => parseAbsolute(text.replace(' ', 'T'), zone)} write={(date) => date.toDate(zone).toISOString()} />
}

/** A time of day: `14:05:00`. */
export function TimeField({ value, onChange, ...props }: DateFieldProps) {
  const { words } = useUi()
  const time = useMemo(() => readable(value, parseTime), [value])
  if (time === 'unreadable') return <AsText value={value} onChange={onChange} {...props} />
  return (
    <AriaProvider>
      <AriaTimeField
        className={classNames(field.field)}
        value={time}
        onChange={(next) => onChange(next instanceof Time ? next.toString() : null)}
        granularity="second"
        {...aria(props)}
      >
        <FieldTop {...props} word={words.optional} />
        <DateInput className={classNames(control.control, control[props.size ?? 'inside'], css.box)}>{(segment) => <DateSegment segment={segment} className={classNames(css.segment)} />}</DateInput>
        <AriaNote hint={props.hint} error={props.error} />
      </AriaTimeField>
    </AriaProvider>
  )
}

interface PickerProps extends DateFieldProps {
  granularity: 'day' | 'second'
  read: (text: string) => DateValue
  write: (date: DateValue) => string
}

function Picker({ value, onChange, granularity, read, write, ...props }: PickerProps) {
  const { words } = useUi()
  // `read` is made anew at each draw but always reads alike.
  // oxlint-disable-next-line react/exhaustive-deps -- see above
  const date = useMemo(() => readable(value, read), [value])
  if (date === 'unreadable') return <AsText value={value} onChange={onChange} {...props} />
  return (
    <AriaProvider>
      <DatePicker
        className={classNames(field.field)}
        value={date}
        onChange={(next) => onChange(next ? write(next) : null)}
        granularity={granularity}
        hideTimeZone
        shouldForceLeadingZeros
        {...aria(props)}
      >
        <FieldTop {...props} word={words.optional} />
        <Group className={classNames(control.control, control[props.size ?? 'inside'], css.box)}>
          <DateInput className={classNames(css.input)}>{(segment) => <DateSegment segment={segment} className={classNames(css.segment)} />}</DateInput>
          <Button className={classNames(css.open)} aria-label={words.openCalendar}>
            <Icon name="calendar" size={14} />
          </Button>
        </Group>
        <AriaNote hint={props.hint} error={props.error} />
        <Popover className={classNames(popover.popover)} offset={4}>
          <div className={popover.content}>
            <Month />
          </div>
        </Popover>
      </DatePicker>
    </AriaProvider>
  )
}

function Month() {
  const { words } = useUi()
  return (
    <Calendar className={classNames(css.calendar)}>
      <header className={css.months}>
        <Button slot="previous" className={classNames(css.turn)} aria-label={words.previousMonth}>
          <Icon name="chevron-left" />
        </Button>
        <Heading className={classNames(css.month)} />
        <Button slot="next" className={classNames(css.turn)} aria-label={words.nextMonth}>
          <Icon name="chevron-right" />
        </Button>
      </header>
      <CalendarGrid>
        <CalendarGridHeader>{(day) => <CalendarHeaderCell className={classNames(css.weekday)}>{day}</CalendarHeaderCell>}</CalendarGridHeader>
        <CalendarGridBody>{(date) => <CalendarCell date={date} className={classNames(css.day)} />}</CalendarGridBody>
      </CalendarGrid>
    </Calendar>
  )
}

function FieldTop({ label, labelHidden, optional, word }: Pick<DateFieldProps, 'label' | 'labelHidden' | 'optional'> & { word: string }): ReactNode {
  return (
    <Label className={labelHidden ? field.hidden : field.label}>
      {label}
      {optional && <span className={field.optional}> ({word})</span>}
    </Label>
  )
}

function AsText({ value, onChange, ...props }: DateFieldProps) {
  return <TextField {...props} value={value ?? ''} onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)} />
}

const aria = (props: Omit<DateFieldProps, 'value' | 'onChange'>) => ({
  isInvalid: Boolean(props.error),
  isRequired: props.required ?? false,
  isDisabled: props.disabled ?? false,
  isReadOnly: props.readOnly ?? false,
  autoFocus: props.autoFocus ?? false,
  validationBehavior: 'aria' as const,
  ...(props.onBlur && { onBlur: props.onBlur }),
})

function readable<Value>(text: string | null, read: (text: string) => Value): Value | null | 'unreadable' {
  if (text === null || text === '') return null
  try {
    return read(text)
  } catch {
    return 'unreadable'
  }
}
