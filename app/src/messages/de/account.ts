import type { account as English } from '#messages/en/account.ts'

export const account: typeof English = {
  title: 'Konto',
}
