import type { Routine } from '#services/rest/schema-cache/routine.ts'
import type { Table } from '#services/rest/schema-cache/table.ts'
import type { Reply } from './reply.ts'

/** What may be done with a relation, whatever the caller's privileges. */
export function tableMethods({ insertable, updatable, deletable, primaryKey }: Table): string {
  return [
    'OPTIONS,GET,HEAD',
    insertable && 'POST',
    insertable && updatable && primaryKey.length > 0 && 'PUT',
    updatable && 'PATCH',
    deletable && 'DELETE',
  ]
    .filter((method) => method !== false)
    .join(',')
}

export const routineMethods = ({ volatility }: Routine): string => (volatility === 'volatile' ? 'OPTIONS,POST' : 'OPTIONS,GET,HEAD,POST')

export const schemaMethods = 'OPTIONS,GET,HEAD'

export const allowReply = (methods: string): Reply => ({
  status: 200, headers: { Allow: methods, 'Access-Control-Allow-Origin': '*', 'Content-Length': '0' }, body: null,
})
