import { data } from './data.ts'
import { insideErrors } from './inside-errors.ts'
import { shell } from './shell.ts'

/** What is said behind the door: loaded with the shell. */
export const insideMessages = { shell, data, insideErrors }

export type InsideMessages = typeof insideMessages
