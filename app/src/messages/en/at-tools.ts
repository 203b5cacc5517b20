import { functions } from './functions.ts'
import { inspector } from './inspector.ts'

/** What functions and inspector say: loaded with the first of them. */
export const toolsMessages = { functions, inspector }

export type ToolsMessages = typeof toolsMessages
