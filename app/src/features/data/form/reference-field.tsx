import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { choiceQuery, choicesQuery, type Choice, type Picker } from '#features/data/rows/choices-query.ts'
import { useSource } from '#features/data/source.ts'
import { useWords } from '#features/data/words.ts'
import { ComboBox, type ComboBoxProps } from '#ui/combo-box.tsx'
import type { ListOption } from '#ui/list-box.tsx'

export interface ReferenceFieldProps extends Pick<ComboBoxProps, 'label' | 'labelHidden' | 'hint' | 'error' | 'required' | 'optional' | 'placeholder' | 'autoFocus' | 'onBlur' | 'clearable' | 'disabled'> {
  picker: Picker
  /** Values of the referenced columns; null for none. */
  value: readonly string[] | null
  onChange: (choice: Choice | null) => void
  /** What other columns have settled, by referenced column. */
  fixed?: Readonly<Record<string, string>>
}

const none = {}
const pauseMs = 200

/** Picks a row by its title: the server looks for what is typed, and the one picked is named wherever it stands. */
export function ReferenceField({ picker, value, onChange, fixed = none, error, hint, ...rest }: ReferenceFieldProps) {
  const source = useSource()
  const words = useWords()
  const [search, setSearch] = useState<string | undefined>()
  const sought = usePaused(search)
  const choices = useQuery({ ...choicesQuery(source, picker, { search: sought ?? '', fixed }), enabled: sought !== undefined })
  const chosen = useQuery({ ...choiceQuery(source, picker, value ?? []), enabled: value !== null })

  const found = choices.data ?? []
  const option = value === null ? undefined : chosen.data ? optionOf(chosen.data) : { id: idOf(value), label: value.join(', ') }
  const pick = (id: string | null) => {
    const choice = id === null ? null : [...found, ...(chosen.data ? [chosen.data] : [])].find(({ values }) => idOf(values) === id)
    if (choice !== undefined) onChange(choice)
  }
  return (
    <ComboBox
      {...rest}
      options={found.map(optionOf)}
      value={value === null ? null : idOf(value)}
      chosen={option}
      onChange={pick}
      onSearch={setSearch}
      loading={choices.isFetching}
      error={error ?? (choices.isError ? words.choicesFailed : undefined)}
      hint={hint ?? (chosen.data === null ? words.withheld : undefined)}
    />
  )
}

const idOf = (values: readonly string[]): string => JSON.stringify(values)

const optionOf = ({ values, title, note }: Choice): ListOption => ({ id: idOf(values), label: title, hint: note })

function usePaused(text: string | undefined): string | undefined {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), text === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
