import type { InsideMessages } from '#messages/en/inside.ts'
import { data } from './data.ts'
import { insideErrors } from './inside-errors.ts'
import { shell } from './shell.ts'

export const insideMessages: InsideMessages = { shell, data, insideErrors }
