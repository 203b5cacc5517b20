import type { Comparison, Sight } from '#api/signed-out-check.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Chip } from '#ui/chip.tsx'
import css from './inspector.module.css'
import { isOpen, tableKey, type Comparisons, type KnownTable } from './signed-out-tab.tsx'

const columnsShown = 8

/** The tables, what each of the two sees of them, and what follows. */
export function TableVerdicts({ tables, found, onCheck }: { tables: readonly KnownTable[]; found: Comparisons; onCheck: (table: KnownTable) => void }) {
  const { inspector: { signedOut: words } } = useMessages()
  const severalSchemas = new Set(tables.map(({ schema }) => schema)).size > 1
  return (
    <div className={css.verdicts} role="table" aria-label={words.table}>
      <div className={css.verdictHead} role="row">
        <span role="columnheader">{words.table}</span>
        <span role="columnheader" className={css.number}>{words.you}</span>
        <span role="columnheader" className={css.number}>{words.nobody}</span>
        <span role="columnheader">{words.verdict}</span>
      </div>
      {tables.map((table) => (
        <TableVerdict key={tableKey(table)} table={table} isNamedWhole={severalSchemas} comparison={found.get(tableKey(table))} onCheck={onCheck} />
      ))}
    </div>
  )
}

interface TableVerdictProps {
  table: KnownTable
  /** With its schema. */
  isNamedWhole: boolean
  comparison: Comparison | undefined
  onCheck: (table: KnownTable) => void
}

function TableVerdict({ table, isNamedWhole, comparison, onCheck }: TableVerdictProps) {
  const { inspector: { signedOut: words } } = useMessages()
  return (
    <div className={css.verdict} role="row" data-checked={comparison ? '' : undefined}>
      <span role="cell" className={css.verdictName}>
        {isNamedWhole && <span className={css.note}>{table.schema}.</span>}{table.name}
        {comparison && <Columns comparison={comparison} />}
      </span>
      <span role="cell" className={css.number} data-label={words.you}>{comparison && <Seen sight={comparison.signedIn} />}</span>
      <span role="cell" className={css.number} data-label={words.nobody}>{comparison && <Seen sight={comparison.signedOut} />}</span>
      <span role="cell" className={css.verdictWord}>
        {comparison ? <Verdict comparison={comparison} /> : <button type="button" className={css.textButton} aria-label={words.one(table.label)} onClick={() => onCheck(table)}>{words.oneShort}</button>}
      </span>
    </div>
  )
}

function Seen({ sight }: { sight: Sight }) {
  const { inspector: { signedOut: words } } = useMessages()
  if (sight.kind === 'rows') return <>{words.rows(sight.count)}</>
  if (sight.kind === 'answer') return <>{sight.status}</>
  const isRefusal = sight.error.kind === 'forbidden' || sight.error.kind === 'signed-out' || sight.error.kind === 'missing'
  return <span className={css.note} title={`${sight.error.code} ${sight.error.message}`.trim()}>{isRefusal ? words.refused : words.failed}</span>
}

/** Of an open table its columns are named: what may be public in one may not be in another. */
function Columns({ comparison }: { comparison: Comparison }) {
  const { inspector: { signedOut: words } } = useMessages()
  const format = useFormat()
  const { signedOut } = comparison
  if (signedOut.kind !== 'rows' || signedOut.columns.length === 0) return null
  const names = signedOut.columns.slice(0, columnsShown)
  const more = signedOut.columns.length - names.length
  return <div className={css.muted}>{words.columns(format.list([...names, ...(more > 0 ? [words.moreColumns(more)] : [])]))}</div>
}

function Verdict({ comparison }: { comparison: Comparison }) {
  const { inspector: { signedOut: words } } = useMessages()
  const { signedIn, signedOut } = comparison
  if (isOpen(comparison)) {
    const isSame = signedIn.kind === 'rows' && signedOut.kind === 'rows' && signedIn.count === signedOut.count
    return <Chip tone="warning">{isSame ? words.verdicts.same : words.verdicts.open}</Chip>
  }
  if (signedOut.kind === 'rows') return <Chip tone="success">{signedIn.kind === 'rows' && signedIn.count === 0 ? words.verdicts.neither : words.verdicts.closed}</Chip>
  if (signedOut.kind === 'refused' && ['forbidden', 'signed-out', 'missing'].includes(signedOut.error.kind)) return <Chip tone="success">{words.verdicts.closed}</Chip>
  return <Chip tone="neutral">{words.verdicts.unknown}</Chip>
}
