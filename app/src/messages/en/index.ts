import { errors } from './errors.ts'
import { frontDoor } from './front-door.ts'
import { ui } from './ui.ts'

/** What the door says: loaded before the first paint. */
export const messages = { ui, frontDoor, errors }

export type DoorMessages = typeof messages
