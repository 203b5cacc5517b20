import { useRef } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './request.module.css'
import type { Pair } from './request.ts'

/** Names and values, a line each; a line more is always one press away. */
export function PairsEditor({ pairs, label, addLabel, onChange, suggestions }: { pairs: readonly Pair[]; label: string; addLabel: string; onChange: (pairs: readonly Pair[]) => void; suggestions?: readonly string[] }) {
  const { functions: words } = useMessages()
  const list = useRef<HTMLDivElement>(null)
  const listId = suggestions ? `names-${label}` : undefined
  const put = (index: number, changes: Partial<Pair>) => onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...changes } : pair)))
  const focusLine = (index: number) => setTimeout(() => list.current?.querySelectorAll<HTMLInputElement>('input[data-name]')[index]?.focus(), 0)
  const remove = (index: number) => {
    onChange(pairs.filter((_, at) => at !== index))
    focusLine(Math.max(0, index - 1))
  }
  return (
    <div ref={list} className={css.pairs} role="group" aria-label={label}>
      {pairs.map(({ name, value }, index) => (
        // A line is known by its place: names repeat, and change with each key.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={css.pair}>
          <TextField label={words.pairName} labelHidden placeholder={words.pairName} value={name} data-name="" list={listId} onChange={(event) => put(index, { name: event.target.value })} autoComplete="off" autoCapitalize="none" spellCheck={false} />
          <TextField label={words.pairValue} labelHidden placeholder={words.pairValue} value={value} onChange={(event) => put(index, { value: event.target.value })} autoComplete="off" spellCheck={false} />
          <IconButton icon="close" label={words.removePair(name)} onClick={() => remove(index)} />
        </div>
      ))}
      {suggestions && <datalist id={listId}>{suggestions.map((name) => <option key={name} value={name} />)}</datalist>}
      <div><Button variant="quiet" icon="plus" onClick={() => (onChange([...pairs, { name: '', value: '' }]), focusLine(pairs.length))}>{addLabel}</Button></div>
    </div>
  )
}
