import { account } from './account.ts'
import { data } from './data.ts'
import { insideErrors } from './inside-errors.ts'
import { shell } from './shell.ts'

/** What is said behind the door: loaded with the shell. */
export const insideMessages = { shell, account, data, insideErrors }

export type InsideMessages = typeof insideMessages
