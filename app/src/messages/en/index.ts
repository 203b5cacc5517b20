import { account } from './account.ts'
import { connect } from './connect.ts'
import { data } from './data.ts'
import { errors } from './errors.ts'
import { frontDoor } from './front-door.ts'
import { shell } from './shell.ts'
import { ui } from './ui.ts'

export const messages = { shell, ui, connect, frontDoor, account, data, errors }

/** The shape every language fills; a missing word is a type error. */
export type Messages = typeof messages
