import { isLongText, isMoment, kindOf } from '#features/data/description/field-kind.ts'
import { keyColumns, type Relation } from '#features/data/description/relations.ts'
import type { Title } from '#features/data/description/title.ts'
import { isMomentOfBirth } from '#features/data/view/newest-first.ts'
import type { ShownColumn } from './shown-column.ts'

/** Whether a value says anything where there is little room. */
export const isGiven = (value: unknown): boolean => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

const isState = ({ isChoice, column }: ShownColumn): boolean => isChoice && /(^|_)(status|state|stage|phase)$/i.test(column.name)
const isPerson = ({ embed, column }: ShownColumn): boolean =>
  embed !== undefined && (/user|profile|person|people|member|account|contact|customer/i.test(embed.fk.table) || /author|assignee|owner|requester/i.test(column.name))
const saysLittle = new Set(['uuid', 'json', 'binary', 'search', 'composite'])

/** What a row says beside its title, the most telling first: its state, its person, when it was made, another row, and so on. */
export function tellingFields(relation: Relation, shown: readonly ShownColumn[], title: Title): ShownColumn[] {
  const keys = new Set(keyColumns(relation) ?? [])
  const titling = new Set(title.from === 'key' ? title.columns : title.from === 'row' ? title.fk.columns : [title.column])
  const fields = shown.filter(({ column, embed }) => !titling.has(column.name) && (embed !== undefined || (!keys.has(column.name) && !saysLittle.has(kindOf(column)))))
  const orders: ((field: ShownColumn) => boolean)[] = [
    isState, isPerson, ({ isChoice }) => isChoice, ({ column }) => isMomentOfBirth(column), ({ embed }) => embed !== undefined,
    ({ column }) => isMoment(kindOf(column)), ({ column }) => !isLongText(column), () => true,
  ]
  const telling = new Set<ShownColumn>()
  for (const order of orders) {
    const found = fields.find((field) => !telling.has(field) && order(field))
    if (found) telling.add(found)
  }
  return [...telling, ...fields.filter((field) => !telling.has(field))]
}
