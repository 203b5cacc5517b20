import { account } from './account.ts'
import { connect } from './connect.ts'
import { dataErrors } from './data-errors.ts'
import { data } from './data.ts'
import { shell } from './shell.ts'

/** What is said behind the door: loaded with the shell, and with the Connect screen. */
export const insideMessages = { shell, connect, account, data, dataErrors }

export type InsideMessages = typeof insideMessages
