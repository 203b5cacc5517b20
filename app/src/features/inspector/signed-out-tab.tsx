import { useRef, useState } from 'react'
import { compareTable, type Comparison } from '#api/signed-out-check.ts'
import { useMessages } from '#messages/messages.tsx'
import { useConnection } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { AddressCheck } from './address-check.tsx'
import css from './inspector.module.css'
import { TableVerdicts } from './table-verdicts.tsx'

export interface KnownTable {
  schema: string
  name: string
  label: string
}

/** The tables the project describes to the person, as far as they are known. */
export type KnownTables = { step: 'loading' } | { step: 'failed' } | { step: 'known'; tables: readonly KnownTable[] }

export type Comparisons = ReadonlyMap<string, Comparison>

export const tableKey = ({ schema, name }: KnownTable): string => `${schema}.${name}`

// Each table is two counts; more at once would only stand in line.
const atOnce = 2

/** What somebody without an account could read: the same questions, asked with the session and with the public key alone. */
export function SignedOutTab({ known }: { known: KnownTables }) {
  const { inspector: { signedOut: words } } = useMessages()
  return (
    <div className={css.inner}>
      <p className={`${css.muted} ${css.above}`}>{words.lead}</p>
      {known.step === 'loading' && <Skeleton label={words.table} lines={5} />}
      {known.step === 'failed' && <Banner tone="warning">{words.tablesFailed}</Banner>}
      {known.step === 'known' && known.tables.length === 0 && <EmptyState icon="table" title={words.noTables}>{words.noTablesHint}</EmptyState>}
      {known.step === 'known' && known.tables.length > 0 && <Tables tables={known.tables} />}
      <AddressCheck />
    </div>
  )
}

function Tables({ tables }: { tables: readonly KnownTable[] }) {
  const { inspector: { signedOut: words } } = useMessages()
  const connection = useConnection()
  const [found, setFound] = useState<Comparisons>(new Map())
  const [done, setDone] = useState<number>()
  const stopped = useRef(false)

  const check = async (table: KnownTable) => {
    const comparison = await compareTable(connection, table)
    setFound((before) => new Map(before).set(tableKey(table), comparison))
  }
  const checkAll = async () => {
    const queue = [...tables]
    stopped.current = false
    setFound(new Map())
    setDone(0)
    const work = async () => {
      for (let table = queue.shift(); table && !stopped.current; table = queue.shift()) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other, on purpose
        await check(table)
        setDone((count) => (count ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    setDone(undefined)
  }
  const open = tables.filter((table) => isOpen(found.get(tableKey(table)))).length
  const isWhole = found.size === tables.length
  return (
    <>
      <div className={`${css.actions} ${css.below}`}>
        <Button variant="primary" icon="shield" pending={done !== undefined} onClick={() => void checkAll()}>{words.check}</Button>
        {done !== undefined && <Button onClick={() => (stopped.current = true)}>{words.stop}</Button>}
        <span className={css.muted} role="status">{done !== undefined && words.checking(done, tables.length)}</span>
      </div>
      {open > 0 && <div className={css.below}><Banner tone="warning" title={words.openTitle(open)}>{words.openBody}</Banner></div>}
      {open === 0 && isWhole && <div className={css.below}><Banner tone="success">{words.closedTitle}</Banner></div>}
      <TableVerdicts tables={tables} found={found} onCheck={(table) => void check(table)} />
    </>
  )
}

/** Somebody without an account reads rows of it. */
export const isOpen = (comparison: Comparison | undefined): boolean => comparison?.signedOut.kind === 'rows' && comparison.signedOut.count > 0
