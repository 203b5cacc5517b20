import type { data as English } from '#messages/en/data.ts'

export const data: typeof English = {
  title: 'Tabellen',
}
