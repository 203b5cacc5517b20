import type { connect as English } from '#messages/en/connect.ts'

export const connect: typeof English = {
  title: 'Projekt verbinden',
}
