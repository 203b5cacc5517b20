import { DataScreen } from '#features/data/data-screen.tsx'
import { readDataPath } from '#features/data/rows/address.ts'
import type { ScreenProps } from './route.ts'

/** `/data`, a table, a record over it, and the form for a new one share this screen. */
export function Screen({ params }: ScreenProps) {
  const { schema = '', relation = '', key = '' } = params
  return <DataScreen address={readDataPath(['', 'data', schema, relation, key].join('/'))} />
}
