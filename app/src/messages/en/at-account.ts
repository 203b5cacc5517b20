import { access } from './access.ts'
import { account } from './account.ts'
import { accountErrors } from './account-errors.ts'
import { ownData } from './own-data.ts'

/** What the account says: loaded with the first of its pages. */
export const accountMessages = { account, access, ownData, accountErrors }

export type AccountMessages = typeof accountMessages
