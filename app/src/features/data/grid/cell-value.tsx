import type { ReactNode } from 'react'
import type { ColumnDescription } from '#features/data/description/description.ts'
import { isNumeric, kindOf } from '#features/data/description/field-kind.ts'
import { dataPath, keyOf } from '#features/data/rows/address.ts'
import { plainText } from '#features/data/rows/csv.ts'
import type { Row } from '#features/data/rows/row.ts'
import { embeddedRow, titleText, type Embed } from '#features/data/rows/selection.ts'
import { useWords } from '#features/data/words.ts'
import { useFormat, useLocale } from '#messages/messages.tsx'
import { Chip } from '#ui/chip.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Icon } from '#ui/icon.tsx'
import { Link } from '#ui/link.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { CellLink } from './cell-link.tsx'
import css from './cell-value.module.css'

export interface CellValueProps {
  column: ColumnDescription
  row: Row
  /** The row this column points at, when it was read along. */
  embed?: Embed | undefined
  /** Shown as a chip: an enum, or a text that only some values may take. */
  isChoice?: boolean | undefined
  /** In a grid the way into another row is no tab stop of its own. */
  inGrid?: boolean | undefined
}

/** One value as its type wants to be read, on one line. */
export function CellValue({ column, row, embed, isChoice, inGrid }: CellValueProps) {
  const value = row[column.name]
  if (value === null || value === undefined) return <NotSet />
  if (embed) return <Reference embed={embed} row={row} value={value} inGrid={inGrid} />
  if (Array.isArray(value) && column.array === true) return <Items items={value} plain={isNumeric(kindOf(column))} />
  if (isChoice) return <Chip value={String(value)}>{String(value)}</Chip>
  return <Plain column={column} value={value} />
}

/** Null: a faint dash to the eye, words to a screen reader. An empty text shows nothing at all. */
export function NotSet() {
  const words = useWords()
  return (
    <span className={css.notSet}>
      <span aria-hidden>–</span>
      <VisuallyHidden>{words.notSet}</VisuallyHidden>
    </span>
  )
}

function Reference({ embed, row, value, inGrid }: { embed: Embed; row: Row; value: unknown; inGrid: boolean | undefined }) {
  const words = useWords()
  const target = embeddedRow(row, embed)
  const key = target && keyOf(embed.target, target)
  // There, but the policies show nothing of it.
  if (!target) return <span className={css.withheld} title={words.withheld}>{plainText(value)}</span>
  const title = titleText(embed.title, target, key) ?? plainText(value)
  if (!key) return <>{title}</>
  const href = dataPath(embed.target.schema, embed.target.name, key)
  return inGrid
    ? <CellLink href={href} className={css.reference} title={title}><bdi>{title}</bdi></CellLink>
    : <Link href={href} variant="plain" className={css.reference}><bdi>{title}</bdi></Link>
}

function Items({ items, plain }: { items: readonly unknown[]; plain: boolean }) {
  const shown = items.slice(0, 4)
  return (
    <span className={css.items} title={items.map(plainText).join(', ')}>
      {shown.map((item, index) => (
        <Chip key={index} {...(plain ? {} : { value: plainText(item) })}>{item === null ? '–' : plainText(item)}</Chip>
      ))}
      {items.length > shown.length && <span className={css.more}>+{items.length - shown.length}</span>}
    </span>
  )
}

function Plain({ column, value }: { column: ColumnDescription; value: unknown }): ReactNode {
  const format = useFormat()
  const { locale } = useLocale()
  const text = plainText(value)
  switch (kindOf(column)) {
    case 'boolean': return <Truth value={value === true} />
    case 'decimal': case 'float': return <span className={css.number}>{exactNumber(text, locale)}</span>
    case 'integer': return <span className={css.number}>{text}</span>
    case 'timestamptz': return <DateTime value={text} />
    case 'timestamp': return <DateTime value={text.replace(' ', 'T')} />
    case 'date': return <time dateTime={text} title={text}>{localDay(text, format.date)}</time>
    case 'uuid': return <span className={css.code} title={text}>{text}</span>
    case 'json': case 'composite': return <span className={css.code} title={text.slice(0, 500)}>{text}</span>
    case 'binary': return <span className={css.faint}>{format.bytes(Math.max(0, (text.length - 2) / 2))}</span>
    // Its own direction: what people write in another script than the page's keeps its full stops in place.
    default: return <bdi title={text.length > 24 ? text.slice(0, 500) : undefined}>{text}</bdi>
  }
}

function Truth({ value }: { value: boolean }) {
  const words = useWords()
  return (
    <span className={value ? css.yes : css.faint}>
      <Icon name={value ? 'check' : 'close'} size={value ? 14 : 12} />
      <VisuallyHidden>{value ? words.yes : words.no}</VisuallyHidden>
    </span>
  )
}

/** Writes a decimal as the reader writes numbers, with every digit it came with. */
export function exactNumber(text: string, locale: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text
  const digits = text.split('.')[1]?.length ?? 0
  // A number would round; given as text, Intl keeps all digits.
  return new Intl.NumberFormat(locale, { minimumFractionDigits: Math.min(digits, 20), maximumFractionDigits: 20 }).format(text as unknown as number)
}

// A day has no zone: read as midnight in UTC it would be the day before, west of Greenwich.
function localDay(text: string, write: (date: Date) => string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  return match ? write(new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]))) : text
}
