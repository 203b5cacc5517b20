import type { ToolsMessages } from '#messages/en/at-tools.ts'
import { functions } from './functions.ts'
import { inspector } from './inspector.ts'

export const toolsMessages: ToolsMessages = { functions, inspector }
