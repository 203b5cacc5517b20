import { inspector } from './inspector.ts'

/** What functions and inspector say: loaded with the first of them. */
export const toolsMessages = { inspector }

export type ToolsMessages = typeof toolsMessages
