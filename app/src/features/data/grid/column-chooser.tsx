import { readableColumns } from '#features/data/description/relations.ts'
import { columnLabel, useWords } from '#features/data/words.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Popover } from '#ui/popover.tsx'
import css from './column-chooser.module.css'
import type { RelationView } from './relation-screen.tsx'

/** Which columns are shown, and in which order. */
export function ColumnChooser({ shared }: { shared: RelationView }) {
  const words = useWords()
  const { relation, columns } = shared
  const shown = columns.shown.map(({ name }) => name)
  const hidden = readableColumns(relation).filter(({ name }) => !shown.includes(name))
  const label = (name: string) => columnLabel(relation, { name })
  return (
    <Popover label={words.columns} placement="bottom end" trigger={<Button icon="columns" variant="quiet">{words.columns}</Button>}>
      <div className={css.chooser}>
        <ul className={css.list}>
          {shown.map((name, index) => (
            <li key={name} className={css.line}>
              <Checkbox label={label(name)} checked disabled={shown.length === 1} onChange={() => columns.actions.show(shown.filter((other) => other !== name))} />
              <span className={css.moves}>
                <IconButton size="small" icon="sort-up" label={words.moveUp(label(name))} disabled={index === 0} onClick={() => columns.actions.move(name, -1)} />
                <IconButton size="small" icon="sort-down" label={words.moveDown(label(name))} disabled={index === shown.length - 1} onClick={() => columns.actions.move(name, 1)} />
              </span>
            </li>
          ))}
          {hidden.map(({ name }) => (
            <li key={name} className={css.line}>
              <Checkbox label={label(name)} checked={false} onChange={() => columns.actions.show([...shown, name])} />
            </li>
          ))}
        </ul>
        <div className={css.foot}>
          <Button variant="quiet" disabled={columns.isUntouched} onClick={columns.actions.reset}>{words.resetColumns}</Button>
        </div>
      </div>
    </Popover>
  )
}
