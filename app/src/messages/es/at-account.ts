import type { AccountMessages } from '#messages/en/at-account.ts'
import { access } from './access.ts'
import { account } from './account.ts'
import { accountErrors } from './account-errors.ts'
import { ownData } from './own-data.ts'

export const accountMessages: AccountMessages = { account, access, ownData, accountErrors }
