import type { InsideMessages } from '#messages/en/inside.ts'
import { account } from './account.ts'
import { connect } from './connect.ts'
import { dataErrors } from './data-errors.ts'
import { data } from './data.ts'
import { shell } from './shell.ts'

export const insideMessages: InsideMessages = { shell, connect, account, data, dataErrors }
