import { account } from './account.ts'
import { connect } from './connect.ts'
import { data } from './data.ts'
import { shell } from './shell.ts'

/** What is said behind the door: loaded with the shell, and with the Connect screen. */
export const insideMessages = { shell, connect, account, data }

export type InsideMessages = typeof insideMessages
