import type { ToolsMessages } from '#messages/en/at-tools.ts'
import { inspector } from './inspector.ts'

export const toolsMessages: ToolsMessages = { inspector }
