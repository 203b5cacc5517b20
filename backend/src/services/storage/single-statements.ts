import { toRows } from '#database/cells.ts'
import type { RawResult, Transaction } from '#database/database.ts'
import { DatabaseError } from '#database/database-error.ts'
import type { Sql } from '#database/sql.ts'

const atMostOne = <Row>(rows: Row[]): Row | undefined => {
  if (rows.length > 1) throw new DatabaseError({ sqlstate: 'P0003', message: `expected at most one row, the statement gave ${rows.length}` })
  return rows[0]
}

/** Lets what is written for a transaction run its statement by itself. */
export function singleStatements(raw: (statement: Sql) => Promise<RawResult>): Transaction {
  const many = async <Row>(statement: Sql): Promise<Row[]> => toRows<Row>(await raw(statement))
  return {
    raw,
    many,
    maybeOne: async <Row>(statement: Sql) => atMostOne(await many<Row>(statement)),
    async one<Row>(statement: Sql): Promise<Row> {
      const row = atMostOne(await many<Row>(statement))
      if (row === undefined) throw new DatabaseError({ sqlstate: 'P0002', message: 'expected exactly one row, the statement gave none' })
      return row
    },
    execute: async (statement) => (await raw(statement)).affected,
  }
}
