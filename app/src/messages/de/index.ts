import type { DoorMessages } from '#messages/en/index.ts'
import { errors } from './errors.ts'
import { frontDoor } from './front-door.ts'
import { ui } from './ui.ts'

export const messages: DoorMessages = { ui, frontDoor, errors }
