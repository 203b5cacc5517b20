import { useMemo, type Ref } from 'react'
import { useLocale, useMessages } from '#messages/messages.tsx'
import control from '#ui/control.module.css'
import { classNames } from '#ui/class-names.ts'
import { Field } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { allRegions, readNumber, regionOfNumber } from './phone-number.ts'
import css from './phone-field.module.css'

interface PhoneFieldProps {
  ref: Ref<HTMLInputElement>
  typed: string
  region: string
  fault: string | undefined
  onType: (typed: string) => void
  onRegion: (region: string) => void
}

/** A number as one dials it, with its country before it; a whole number that is pasted brings its country along. */
export function PhoneField({ ref, typed, region, fault, onType, onRegion }: PhoneFieldProps) {
  const { ways } = useMessages()
  const number = readNumber(typed, region)
  const type = (text: string) => {
    onType(text)
    const named = regionOfNumber(text, region)
    if (named !== undefined) onRegion(named)
  }
  return (
    <Field label={ways.phone.number} size="door" error={fault} hint={number ? ways.phone.sendTo(number) : ways.phone.hint}>
      {(field) => (
        <span role="group" className={classNames(control.control, control['door'], css.frame)} dir="ltr" data-invalid={field['aria-invalid']}>
          <RegionSelect value={region} onChange={onRegion} />
          <input
            {...field}
            ref={ref}
            className={css.number}
            type="tel"
            name="phone"
            inputMode="tel"
            autoComplete="tel"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page's one question
            autoFocus
            required
            value={typed}
            onChange={(event) => type(event.target.value)}
          />
        </span>
      )}
    </Field>
  )
}

/** Its names are long, its code is not: the list lies unseen over what is chosen. */
function RegionSelect({ value, onChange }: { value: string; onChange: (region: string) => void }) {
  const { ways } = useMessages()
  const { locale } = useLocale()
  const choices = useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
    const collator = new Intl.Collator(locale)
    return allRegions.map((region) => ({ ...region, name: names.of(region.code) ?? region.code })).sort((a, b) => collator.compare(a.name, b.name))
  }, [locale])
  const chosen = choices.find(({ code }) => code === value)
  return (
    <span className={css.region}>
      <span className={css.chosen} aria-hidden>
        {chosen?.code} +{chosen?.calling}
        <Icon name="chevron-down" size={14} />
      </span>
      <select aria-label={ways.phone.country} autoComplete="tel-country-code" className={css.list} value={value} onChange={(event) => onChange(event.target.value)}>
        {choices.map(({ code, calling, name }) => (
          <option key={code} value={code}>
            {`${name} (+${calling})`}
          </option>
        ))}
      </select>
    </span>
  )
}
