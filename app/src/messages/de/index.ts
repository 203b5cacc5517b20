import type { Messages } from '#messages/en/index.ts'
import { account } from './account.ts'
import { connect } from './connect.ts'
import { data } from './data.ts'
import { errors } from './errors.ts'
import { frontDoor } from './front-door.ts'
import { shell } from './shell.ts'
import { ui } from './ui.ts'

export const messages: Messages = { shell, ui, connect, frontDoor, account, data, errors }

